/** What is written, and what a browser sends for it as its path. */
export const wirePaths: readonly (readonly [written: string, sent: string])[] = [
  ['/queue/join?', '/queue/join?'],
  ['/a?#', '/a?'],
  ['/a#', '/a'],
  ['/a#b?c', '/a'],
  ['', '/'],
  ['?', '/?'],
  ['//double//slash', '//double//slash'],
  ['/a/./b/../c', '/a/c'],
  ['/a/%2e%2E/b', '/b'],
  ['/%c3%A9?x=%e2', '/%c3%A9?x=%e2'],
  ['/é?ü=ß', '/%C3%A9?%C3%BC=%C3%9F'],
  ['/a+b?c+d', '/a+b?c+d'],
  ['/a b?c d', '/a%20b?c%20d'],
  ['/a;v=1;w?x;y', '/a;v=1;w?x;y'],
  ['/a??b=c?', '/a??b=c?'],
  ["/it's?q='1'", "/it's?q=%271%27"],
];
