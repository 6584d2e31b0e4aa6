import type { Browser } from 'playwright-core'

/**
 * Returns a JPEG photo of straight lettering on rubber, lit from one side and slightly tilted. It's rendered by a page,
 * which has fonts.
 */
export async function photographLettering(browser: Browser, lines: readonly string[]): Promise<Buffer> {
  const page = await browser.newPage()
  const jpeg = await page.evaluate((written) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 1200, height: 800 })
    const pen = canvas.getContext('2d')
    if (!pen) throw new Error('This browser has no canvas.')
    const light = pen.createLinearGradient(0, 200, 1200, 600)
    light.addColorStop(0, '#4a4b4f')
    light.addColorStop(1, '#1d1e20')
    pen.fillStyle = light
    pen.fillRect(0, 0, 1200, 800)
    pen.rotate((-3 * Math.PI) / 180)
    Object.assign(pen, {
      font: '800 104px sans-serif',
      letterSpacing: '5px',
      fillStyle: '#67696e',
      filter: 'blur(1px)',
    })
    for (const [row, text] of written.entries()) pen.fillText(text, 80, 330 + row * 250)
    return canvas.toDataURL('image/jpeg', 0.7)
  }, lines)
  await page.close()
  return Buffer.from(jpeg.slice(jpeg.indexOf(',') + 1), 'base64')
}
