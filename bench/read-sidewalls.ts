/**
 * Measures the camera page's success rate on forty drawn sidewalls that are rotated, blurred, noisy, and unevenly lit,
 * with the browser's views and reader. Prints one line per image and the success rate. `node bench/read-sidewalls.ts
 * [count] [skipped]`
 */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { createWorker, PSM } from 'tesseract.js'
import { readSizes as readCatalogSizes } from '#db/seed/sizes.ts'
import { readPhoto } from '#domain/catalog/sidewall-reading/sidewall-reading.ts'
import { photographSidewall, sidewallShots } from '#tests/support/sidewall-photo.ts'

const [count, skipped] = [Number(process.argv[2] ?? 40), Number(process.argv[3] ?? 0)]
const data = join(
  dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json')),
  '4.0.0_best_int',
)
const reader = await createWorker('eng', 1, { langPath: data, cacheMethod: 'none' })
await reader.setParameters({
  tessedit_pageseg_mode: PSM.SPARSE_TEXT,
  tessedit_char_whitelist: '0123456789/RLTPSXZHDC. ',
  debug_file: '/dev/null',
})

const shots = sidewallShots(skipped + count).slice(skipped)
// All sizes the store sells. Fewer possible confusions would improve the result unfairly.
const known = new Set(readCatalogSizes([]).map(({ designation }) => designation))
let [right, offered, wrong] = [0, 0, 0]
const startedAt = performance.now()
for (const shot of shots) {
  let looks = 0
  const sizes = await readPhoto(await photographSidewall(shot), {
    known,
    async read(picture) {
      const { data: page } = await reader.recognize(await toPng(picture), {}, { blocks: true, text: false })
      return (page.blocks ?? []).flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines }) => lines))
    },
    goesOn() {
      looks++
      return true
    },
  })
  const place = sizes.slice(0, 3).findIndex(({ designation }) => designation === shot.designation)
  if (place === 0) right++
  else if (place > 0) offered++
  else if (sizes[0]) wrong++
  console.log(
    `${place === 0 ? 'right' : place > 0 ? 'offered' : sizes[0] ? 'WRONG' : 'none'} ${shot.name}: ${sizes.map(({ designation, confidence }) => `${designation} ${confidence}`).join(', ')} (${looks} looks)`,
  )
}
await reader.terminate()
console.log(
  `${right} of ${shots.length} right, ${offered} offered behind another, ${wrong} wrong; ${Math.round((performance.now() - startedAt) / shots.length)} ms each`,
)

async function toPng({
  width,
  height,
  pixels,
}: {
  width: number
  height: number
  pixels: Uint8ClampedArray
}): Promise<Buffer> {
  return sharp(pixels, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer()
}
