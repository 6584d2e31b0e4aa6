/** Label files, 4 by 6 inches, as PDF and in the label printer language ZPL II. */
import type { Address } from './addresses.ts'
import type { ScanForm, Shipment } from './shipments.ts'

const sample = 'SAMPLE LABEL, NOT FOR SHIPPING'

/** A label as PDF, with its number as a bar code. */
export function labelPdf(shipment: Shipment, trackingNumber: string): string {
  return onePage([
    ...text(24, 404, 9, ['FROM', ...lines(shipment.from)]),
    ...text(24, 300, 15, ['SHIP TO', ...lines(shipment.to)]),
    ...text(24, 172, 10, facts(shipment)),
    ...bars(24, 70, trackingNumber),
    ...text(24, 52, 12, [trackingNumber]),
    ...text(24, 28, 9, [sample]),
  ])
}

/** How many tracking numbers fit on a form. */
const numbersShown = 20

/** A scan form as PDF, with its ID as a bar code and its tracking numbers. */
export function scanFormPdf({ id, from, trackingNumbers }: ScanForm): string {
  const rest = trackingNumbers.length - numbersShown
  return onePage([
    ...text(24, 404, 9, ['SHIPMENT ACCEPTANCE', ...(from ? lines(from) : [])]),
    ...bars(24, 290, id.slice(3, 15).toUpperCase()),
    ...text(24, 274, 9, [`${trackingNumbers.length} PARCELS`]),
    ...text(24, 258, 7, [...trackingNumbers.slice(0, numbersShown), ...(rest > 0 ? [`AND ${rest} MORE`] : [])]),
    ...text(24, 28, 9, [sample]),
  ])
}

function onePage(drawn: readonly string[]): string {
  const stream = drawn.join('\n')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 288 432] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const at = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return String(at).padStart(10, '0')
  })
  const table = offsets.map((at) => `${at} 00000 n \n`).join('')
  return `${file}xref\n0 6\n0000000000 65535 f \n${table}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
}

/** A label for a printer of 203 dots an inch. */
export function labelZpl(shipment: Shipment, trackingNumber: string): string {
  const field = (y: number, size: number, words: string) =>
    `^FO50,${y}^A0N,${size},${size}^FD${words.replaceAll(/[\^~]/g, ' ')}^FS`
  return [
    '^XA^CI28^PW812^LL1218',
    ...['FROM', ...lines(shipment.from)].map((line, index) => field(50 + index * 34, 28, line)),
    ...['SHIP TO', ...lines(shipment.to)].map((line, index) => field(330 + index * 50, 42, line)),
    ...facts(shipment).map((line, index) => field(690 + index * 34, 28, line)),
    `^FO50,820^BY2^B3N,N,200,Y,N^FD${trackingNumber}^FS`,
    field(1140, 28, sample),
    '^XZ',
  ].join('\n')
}

function lines({ name, company, street1, street2, city, state, zip }: Address): string[] {
  return [name, company, street1, street2, `${city}, ${state} ${zip}`].flatMap((line) => (line ? [ascii(line)] : []))
}

function facts({ weight, reference, label }: Shipment): string[] {
  return [`${Math.round(weight / 16)} LB`, `REF ${ascii(reference ?? 'NONE')}`, ascii(label?.service ?? '')]
}

/** Removes characters that the PDF's font doesn't have. */
function ascii(words: string): string {
  return words
    .normalize('NFKD')
    .replaceAll(/[^ -~]/g, '')
    .slice(0, 60)
}

/** Lines of text from a point down, in points. */
function text(x: number, y: number, size: number, words: readonly string[]): string[] {
  return words.map(
    (line, index) =>
      `BT /F1 ${size} Tf ${x} ${y - index * (size + 3)} Td (${line.replaceAll(/[\\()]/g, String.raw`\$&`)}) Tj ET`,
  )
}

/** Code 39 (ISO/IEC 16388), with nine bars and gaps per character, three of them wide. */
const code39 = new Map(
  `
  0:nnnwwnwnn 1:wnnwnnnnw 2:nnwwnnnnw 3:wnwwnnnnn 4:nnnwwnnnw 5:wnnwwnnnn
  6:nnwwwnnnn 7:nnnwnnwnw 8:wnnwnnwnn 9:nnwwnnwnn A:wnnnnwnnw B:nnwnnwnnw
  C:wnwnnwnnn D:nnnnwwnnw E:wnnnwwnnn F:nnwnwwnnn G:nnnnnwwnw H:wnnnnwwnn
  I:nnwnnwwnn J:nnnnwwwnn K:wnnnnnnww L:nnwnnnnww M:wnwnnnnwn N:nnnnwnnww
  O:wnnnwnnwn P:nnwnwnnwn Q:nnnnnnwww R:wnnnnnwwn S:nnwnnnwwn T:nnnnwnwwn
  U:wwnnnnnnw V:nwwnnnnnw W:wwwnnnnnn X:nwnnwnnnw Y:wwnnwnnnn Z:nwwnwnnnn
  *:nwnnwnwnn`
    .trim()
    .split(/\s+/)
    .map((entry) => [entry.slice(0, 1), entry.slice(2)] as const),
)

function bars(x: number, y: number, words: string): string[] {
  const narrow = 0.75
  let at = x
  const drawn: string[] = []
  for (const sign of `*${words}*`) {
    for (const [index, width] of [...(code39.get(sign) ?? '')].entries()) {
      const units = width === 'w' ? narrow * 2 : narrow
      if (index % 2 === 0) drawn.push(`${at.toFixed(2)} ${y} ${units.toFixed(2)} 60 re f`)
      at += units
    }
    at += narrow
  }
  return drawn
}
