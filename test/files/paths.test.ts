import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { basename, dirname, endingOf, isSingleName, isWithin, join, pushComponents } from '../../src/files/paths.js';

describe('paths as text', () => {
  it('know how they end', () => {
    const endings = {
      f: 'name',
      'a/f': 'name',
      'f/': 'slash',
      'f//': 'slash',
      // rmdir(2) says EBUSY of it, as of `root/`, and not EINVAL as of `.`.
      '/': 'slash',
      '//': 'slash',
      '.': 'dot',
      'f/.': 'dot',
    };
    for (const [path, ending] of Object.entries(endings)) expect(endingOf(path), path).toBe(ending);
    for (const path of ['f/./', './/', '']) expect(endingOf(path), path).toBe('dot');
    for (const path of ['..', 'f/..', 'f/../', '../..//']) expect(endingOf(path), path).toBe('dotdot');
    for (const path of ['...', 'f..', 'f/.x', '..x']) expect(endingOf(path), path).toBe('name');
  });

  it('are taken apart as splitting at slashes would', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('/', '.', 'a', 'b'), maxLength: 12 }), (path) => {
        const stack = ['before'];
        pushComponents(stack, path);
        const components = path.split('/').filter((name) => name !== '' && name !== '.');
        expect(stack).toEqual(['before', ...components.reverse()]);
      }),
    );
  });

  it('know what holds them', () => {
    expect([dirname('/a/b'), dirname('/a'), dirname('/')]).toEqual(['/a', '/', '/']);
    expect([basename('/a/b'), basename('/a')]).toEqual(['b', 'a']);
    expect([join('/', 'a'), join('/a', 'b'), join('a/', 'b')]).toEqual(['/a', '/a/b', 'a/b']);
    expect(isWithin('/a/b', '/a') && isWithin('/a', '/a') && isWithin('/a', '/')).toBe(true);
    expect(isWithin('/ab', '/a') || isWithin('/', '/a')).toBe(false);
  });

  it('are single names or not', () => {
    for (const name of ['a', '...', '.a', ' ', '\udcff', '-']) expect(isSingleName(name), name).toBe(true);
    for (const name of ['', '.', '..', 'a/b', '/', 'a\0']) expect(isSingleName(name), name).toBe(false);
  });
});
