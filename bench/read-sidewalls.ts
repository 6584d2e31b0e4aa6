/**
 * How often the camera page reads the right size: forty drawn sidewalls, turned, blurred, noisy and unevenly lit, through the very views and the very
 * reader the browser uses. Prints one line per picture and the share that was read. `node bench/read-sidewalls.ts [how many]`
 */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createWorker, PSM } from 'tesseract.js'
import { mergeSizes, pictureViews, readSizes, type ReadSize } from '#domain/sidewall-reading/sidewall-reading.ts'
import { photographSidewall, sidewallShots } from '#tests/support/sidewall-photo.ts'

const count = Number(process.argv[2] ?? 40)
const data = join(dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json')), '4.0.0_best_int')
const reader = await createWorker('eng', 1, { langPath: data, cacheMethod: 'none' })
await reader.setParameters({ tessedit_pageseg_mode: PSM.SPARSE_TEXT, tessedit_char_whitelist: '0123456789/RLTPSXZHDC. ' })

const shots = sidewallShots(count)
const known = new Set(shots.map(({ designation }) => designation))
let right = 0
let wrong = 0
const startedAt = performance.now()
for (const shot of shots) {
  let sizes: ReadSize[] = []
  const views: string[] = []
  for (const { name, picture } of pictureViews(await photographSidewall(shot))) {
    const { data: page } = await reader.recognize(await toPng(picture), {}, { blocks: true, text: false })
    const lines = (page.blocks ?? []).flatMap(({ paragraphs }) => paragraphs.flatMap((paragraph) => paragraph.lines))
    if (process.env.SHOW) console.log(name, JSON.stringify(lines.map(({ text, confidence }) => `${text.trim()} ${Math.round(confidence)}`)))
    sizes = mergeSizes([...sizes, ...readSizes(lines, known)])
    views.push(name)
    if (sizes[0]?.isKnown && sizes[0].confidence >= 70) break
  }
  const isRight = sizes[0]?.designation === shot.designation
  if (isRight) right++
  else if (sizes[0]) wrong++
  console.log(
    `${isRight ? 'right' : sizes[0] ? 'WRONG' : 'none '} ${shot.name}: ${sizes.map(({ designation, confidence }) => `${designation} ${confidence}`).join(', ')} (${views.join(', ')})`,
  )
}
await reader.terminate()
console.log(`${right} of ${shots.length} right, ${wrong} wrong; ${Math.round((performance.now() - startedAt) / shots.length)} ms each`)

async function toPng({ width, height, pixels }: { width: number; height: number; pixels: Uint8ClampedArray }): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  return sharp(pixels, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer()
}
