/** Pages that are large or mean to take long. */
const paragraph = (n) =>
  `<p>Paragraph ${n}: the mitochondrion, found in most <a href="/e">eukaryotes</a>, makes the greater part of the cell's supply of energy, which is used as a source of chemical work.</p>`;
const menu = '<nav><ul>' + '<li><a href="/x">Another page of this site</a></li>'.repeat(300) + '</ul></nav>';
const article = (kilobytes) => {
  let body = '';
  for (let n = 0; body.length < kilobytes * 1024; n++) body += paragraph(n);
  return `<html lang="en"><head><title>Cells</title></head><body>${menu}<main><article><h1>Cells</h1>${body}</article></main><footer>${menu}</footer></body></html>`;
};

export const HOSTILE = {
  'article 140 kB': () => article(100),
  'article 1 MiB': () => article(985),
  'nested div 50,000': () => '<div>'.repeat(50_000) + 'deep text, very deep',
  'nested b 100,000, other end tags': () => '<b>'.repeat(100_000) + '</i>'.repeat(100_000) + 'x',
  'unclosed p 100,000': () => '<p>one more, '.repeat(80_000),
  'nested table 20,000': () => '<table><tr><td>'.repeat(20_000) + 'x',
  'nested ul li 60,000': () => '<ul><li>a, '.repeat(60_000),
  'a row of 100,000 cells': () => '<table><tr>' + '<td>a'.repeat(100_000),
  'cells over 50 rows and columns': () => '<table>' + '<tr><td rowspan=50 colspan=50>a'.repeat(30_000),
  'a 1 MiB attribute': () => `<div style="${'color:red;'.repeat(100_000)}">x</div>`,
  'attributes 200,000': () => `<div ${'a=b '.repeat(200_000)}>x</div>`,
  'unclosed comment': () => 'text <!-- ' + '<p>x'.repeat(200_000),
  'angle brackets 1 M': () => '<'.repeat(1_000_000),
  'entities 200,000': () => '&amp;'.repeat(200_000),
  'one block of 1 MiB': () => '<p>' + 'word, '.repeat(170_000),
  'links 100,000': () => '<p>' + '<a href=/x>y</a> '.repeat(60_000),
};
