/** A page of a dispute's evidence as a PDF. */
import type { EvidenceSheet } from '#domain/aftercare/disputes/disputes.server.ts'
import { asphalt, ink, renderPdf } from './pdf.ts'

/** Renders `sheet` on letter paper. */
export function renderEvidencePdf(sheet: EvidenceSheet): Promise<Uint8Array> {
  return renderPdf({
    title: sheet.title,
    store: sheet.store,
    content: [
      ...sheet.parts.flatMap(({ title, rows }) => [
        { text: title, bold: true, fontSize: 12, margin: [0, 8, 0, 4] },
        ...rows.map(([label, value]) => ({
          columns: [
            { text: label, color: asphalt, width: 150 },
            { text: value, width: '*' },
          ],
          columnGap: 12,
        })),
      ]),
      ...signature(sheet),
    ],
  })
}

function signature({ signature: drawn }: EvidenceSheet): { [key: string]: unknown }[] {
  if (drawn === null) return []
  const { path, width, height } = drawn
  // The path contains only numbers and letters of an SVG path. See `signaturePath`.
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><path d="${path}" fill="none" stroke="${ink}" stroke-width="3"/></svg>`
  return [
    { text: 'Signed by the customer', bold: true, fontSize: 12, margin: [0, 12, 0, 4] },
    { svg, width: 260 },
  ]
}
