import { randomBytes } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { findPdfFault } from './pdf-content.server.ts'

const catalog = '<< /Type /Catalog /Pages 2 0 R >>'

/** A document of these objects, starting with the catalog. */
function pdf(...objects: (string | Buffer)[]): Buffer {
  return Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    ...objects.map((object, index) =>
      Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]),
    ),
    Buffer.from('trailer\n<< /Root 1 0 R >>\nstartxref\n9\n%%EOF\n'),
  ])
}

function stream(dictionary: string, data: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`<< ${dictionary} /Length ${data.length} >>\nstream\r\n`),
    data,
    Buffer.from('\nendstream'),
  ])
}

/** Objects packed into a stream, as programs have done since PDF 1.5. */
const packed = (objects: string, dictionary = '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode') =>
  stream(dictionary, deflateSync(`1 0 ${objects}`))

test.each([
  ['a plain one', pdf(catalog)],
  ['one that opens at a page', pdf('<< /Type /Catalog /OpenAction [3 0 R /XYZ null null 0] >>')],
  ['one that opens at a page of its own object', pdf('<< /Type /Catalog /OpenAction 5 0 R >>')],
  ['links to pages of the web', pdf(catalog, '<< /S /URI /URI (https://example.com/) >>')],
  ['packed objects', pdf(catalog, packed(catalog))],
  ['pictures', pdf(catalog, stream('/Subtype /Image /Filter /DCTDecode', randomBytes(200_000)))],
  ['packed pictures', pdf(catalog, stream('/Subtype /Image /Filter /FlateDecode', deflateSync(randomBytes(200_000))))],
  ['a page with a packed text', pdf(catalog, stream('/Filter /FlateDecode', deflateSync('BT (JavaScript) Tj ET')))],
  ['nothing but a comment', Buffer.from(`%PDF-1.7\n${'%'.repeat(500_000)}\n%%EOF\n`)],
])('a PDF with %s is safe', async (_case, bytes) => {
  expect(await findPdfFault(bytes)).toBeUndefined()
})

const script = '<< /S /JavaScript /JS (app.alert(1)) >>'

test.each([
  ['a script', pdf(catalog, script)],
  ['a script that runs when it is opened', pdf(`<< /Type /Catalog /OpenAction ${script} >>`)],
  ['a script whose name is written otherwise', pdf(catalog, '<< /S /Java#53cript /J#53 (app.alert(1)) >>')],
  ['a script behind a comment', pdf(catalog, '<< /S % a comment\n/JavaScript /JS 5 0 R >>')],
  ['a program to start', pdf(catalog, '<< /S /Launch /F (cmd.exe) >>')],
  ['an embedded file', pdf('<< /Type /Catalog /Names << /EmbeddedFiles 4 0 R >> >>')],
  ['a form that is sent', pdf(catalog, '<< /S /SubmitForm /F (https://example.com) >>')],
  [
    'a page of the web that opens with it',
    pdf('<< /Type /Catalog /OpenAction << /S /URI /URI (https://a.example) >> >>'),
  ],
  ['the same, as an object of its own', pdf('<< /OpenAction 3 0 R >>', '<< /S /URI /URI (https://a.example) >>')],
  ['a form in XML', pdf('<< /Type /Catalog /AcroForm << /XFA 4 0 R >> >>')],
  ['a packed script', pdf(catalog, packed(script))],
  ['a packed script without its type', pdf(catalog, packed(script, '/N 1 /First 4 /Filter 7 0 R'))],
  [
    'a packed script in a broken dictionary',
    pdf(catalog, Buffer.concat([Buffer.from('<< /A [ >> endobj ] '), packed(script)])),
  ],
  ['an unpacked stream of objects', pdf(catalog, stream('/Type /ObjStm /N 1 /First 4', Buffer.from(`1 0 ${script}`)))],
])('a PDF with %s is not', async (_case, bytes) => {
  expect(await findPdfFault(bytes)).toBe('active-content')
})

test.each([
  [
    'with a packed script that is cut off',
    pdf(catalog, stream('/Type /ObjStm /Filter /FlateDecode', deflateSync(script.repeat(50)).subarray(0, -8))),
  ],
  ['that is encrypted', Buffer.concat([pdf(catalog), Buffer.from('trailer\n<< /Encrypt 9 0 R >>\n%%EOF\n')])],
  [
    'whose objects are packed as text',
    pdf(catalog, stream('/Type /ObjStm /Filter [/ASCII85Decode /FlateDecode]', Buffer.from('GhQ'))),
  ],
  [
    'whose objects are mixed like rows of a picture',
    pdf(
      catalog,
      packed(
        script.replaceAll('a', 'b').replaceAll('J', 'K'),
        '/Type /ObjStm /Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 1 >>',
      ),
    ),
  ],
  [
    'that unpacks to 200 MB',
    pdf(catalog, stream('/Filter /FlateDecode', deflateSync(Buffer.alloc(200_000_000), { level: 9 }))),
  ],
])('a PDF %s cannot be checked', async (_case, bytes) => {
  expect(await findPdfFault(bytes)).toBe('unreadable')
})

test('a packed script before damage is found, whatever viewers make of it', async () => {
  const data = deflateSync(`${script}${randomBytes(9_000).toString('hex')}`)
  for (const end of [200, 2_000, 4_000]) {
    const damaged = Buffer.concat([data.subarray(0, end), randomBytes(500)])
    const found = await findPdfFault(pdf(catalog, stream('/Type /ObjStm /Filter /FlateDecode', damaged)))
    expect(found, String(end)).toBeDefined()
  }
})
