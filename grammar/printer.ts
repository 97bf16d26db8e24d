export function print(_node: object): string {
  return '';
}
