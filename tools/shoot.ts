import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { launchBrowser } from '#tests/support/browser.ts'

const usage = `Takes full-page screenshots of a page 360, 768 and 1280 pixels wide, and names what the browser complained about.

  node tools/shoot.ts <url> <folder> [name]      → <folder>/<name>-360.png and so on; the name is "page" if none is given
    --no-js                 without script
    --cookie name=value     sent with every request; may be repeated
    --width 360             only this width; may be repeated
    --wait selector         waits until this is on the page
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'no-js': { type: 'boolean', default: false },
    cookie: { type: 'string', multiple: true, default: [] },
    width: { type: 'string', multiple: true, default: ['360', '768', '1280'] },
    wait: { type: 'string' },
  },
})
const [url, folder, name = 'page'] = positionals
if (url === undefined || folder === undefined) {
  console.error(usage)
  process.exit(1)
}

await mkdir(folder, { recursive: true })
await using browser = await launchBrowser()
for (const width of values.width.map(Number)) {
  const file = join(folder, `${name}-${width}.png`)
  console.log(file)
  for (const complaint of await shoot(url, file, width)) console.log(`  ${complaint}`)
}

/**
 * Takes the screenshot and returns the page's problems (an error status, script and console errors, and content wider
 * than the window).
 */
async function shoot(url: string, file: string, width: number): Promise<string[]> {
  const complaints: string[] = []
  await using context = await browser.newContext({
    viewport: { width, height: 800 },
    javaScriptEnabled: !values['no-js'],
    reducedMotion: 'reduce',
  })
  await context.addCookies(values.cookie.map((cookie) => parseCookie(cookie, url)))
  const page = await context.newPage()
  page.on('pageerror', (error) => complaints.push(`script error: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console error: ${message.text()} (${message.location().url})`)
  })

  const response = await page.goto(url, { waitUntil: 'load' })
  if (response && !response.ok()) complaints.push(`status ${response.status()}`)
  if (values.wait !== undefined) await page.waitForSelector(values.wait)
  if (!values['no-js']) await showLazyPictures(page) // without script, browsers load every picture at once
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  if (overflow > 0) complaints.push(`${overflow} pixels wider than the window`)
  await page.screenshot({ path: file, fullPage: true })
  return complaints
}

async function showLazyPictures(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let y = 0; y < document.documentElement.scrollHeight; y += window.innerHeight) {
      window.scrollTo(0, y)
      await new Promise(requestAnimationFrame)
    }
    window.scrollTo(0, 0)
    await Promise.all([document.fonts.ready, ...[...document.images].map((image) => image.decode().catch(() => {}))])
  })
}

function parseCookie(cookie: string, url: string): { name: string; value: string; url: string } {
  const [name = '', ...value] = cookie.split('=')
  return { name, value: value.join('='), url }
}
