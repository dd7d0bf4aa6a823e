import { deflateSync } from 'node:zlib';

/** A PDF of so many pages, each of which has the same lines of text. */
export function pdfOf(pages, lines) {
  const text = `BT /F1 10 Tf 10 800 Td ${'(Coral reefs are built by tiny animals.) Tj 0 -12 Td '.repeat(lines)}ET`;
  const stream = deflateSync(text, { level: 9 });
  const numbers = Array.from({ length: pages }, (_, i) => i + 5);
  const head = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[${numbers.map((n) => `${n} 0 R`).join(' ')}]/Count ${pages}>>endobj
3 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
4 0 obj<</Filter/FlateDecode/Length ${stream.length}>>stream
`;
  const page =
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 844]/Resources<</Font<</F1 3 0 R>>>>/Contents 4 0 R>>';
  const tail = `
endstream endobj
${numbers.map((n) => `${n} 0 obj${page}endobj`).join('\n')}
trailer<</Root 1 0 R>>`;
  return Buffer.concat([Buffer.from(head), stream, Buffer.from(tail)]);
}
