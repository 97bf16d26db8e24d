import { describe, expect, it } from 'vitest';
import { isShellError } from '../../src/errors.js';
import { byteCapture, stringCapture } from '../../src/io/capture.js';

describe('a string capture', () => {
  it('joins text', () => {
    const capture = stringCapture(100);
    capture.writeText('a');
    capture.writeText('é\udcff');
    expect(capture.take()).toBe('aé\udcff');
    expect(capture.take()).toBe('');
  });

  it('joins a character that was split between two writes', () => {
    const capture = stringCapture(100);
    capture.writeText('x');
    capture.write(Buffer.from([0xc3]));
    capture.write(Buffer.from([0xa9]));
    capture.writeText('y');
    expect(capture.take()).toBe('xéy');
    capture.writeText('\udcc3');
    capture.writeText('\udca9');
    expect(capture.take()).toBe('é');
    capture.writeText('\udcc3');
    capture.write(Buffer.from([0xa9]));
    expect(capture.take()).toBe('é');
  });

  it.each(['text', 'bytes'])('ends the run above its limit (%s)', (kind) => {
    const capture = stringCapture(10, 'maxCapturedBytes');
    const write = (data: string) => (kind === 'text' ? capture.writeText(data) : capture.write(Buffer.from(data)));
    write('0123456789');
    try {
      write('x');
      expect.unreachable();
    } catch (error) {
      expect(isShellError(error) && error.limit).toBe('maxCapturedBytes');
    }
  });
});

describe('a byte capture', () => {
  it('keeps what the limit allows and counts the rest', () => {
    const capture = byteCapture(5);
    capture.writeText('aé');
    expect(capture.truncated).toBe(false);
    capture.write(Buffer.from('bcd'));
    capture.writeText('é');
    expect(Buffer.from(capture.bytes()).toString()).toBe('aébc');
    expect(capture.truncated).toBe(true);
    expect(capture.total).toBe(8);
  });

  it('is not truncated when exactly full', () => {
    const capture = byteCapture(3);
    capture.writeText('abc');
    expect(capture.truncated).toBe(false);
    expect(capture.bytes().length).toBe(3);
  });

  it('keeps its memory within the limit whatever is written', () => {
    const capture = byteCapture(1000);
    const line = 'x'.repeat(100);
    for (let i = 0; i < 10_000; i++) capture.writeText(line);
    expect(capture.total).toBe(1_000_000);
    expect(capture.bytes().length).toBe(1000);
  });
});
