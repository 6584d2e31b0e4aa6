import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import type { Browser, LaunchOptions } from 'playwright-core'
import { cacheFolder } from '../../tools/cache-folder.ts'

const project = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Additions to Playwright's switches. They are software WebGL, only for maps because rendering pages with it takes
 * several times the CPU, and a fake camera without a permission prompt.
 */
const switches = [
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--disable-gpu-compositing',
  '--disable-gpu-rasterization',
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream',
]

/**
 * Launches a headless Chromium that needs only a C library from the operating system. Close it, or hold it with `await
 * using`. `camera` is a .y4m or .mjpeg file that the fake camera plays instead of its test picture. `CHROME_PATH`
 * selects another browser; except on x64 Linux, where the packaged one runs, an installed Chrome is used.
 */
export async function launchBrowser(options: { camera?: string } = {}): Promise<Browser> {
  const args =
    options.camera === undefined ? switches : [...switches, `--use-file-for-fake-video-capture=${options.camera}`]
  return withPatience(await chromium.launch({ args, ...(await chooseBrowser()) }))
}

/** How long a page may take for a step while other stages run, in milliseconds. */
const patienceMs = 60_000

function withPatience(browser: Browser): Browser {
  const open = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await open(options)
    context.setDefaultTimeout(patienceMs)
    return context
  }
  return browser
}

async function chooseBrowser(): Promise<LaunchOptions> {
  const path = process.env.CHROME_PATH
  if (path) return { executablePath: path }
  if (process.platform !== 'linux' || process.arch !== 'x64') return { channel: 'chrome' }
  const folder = await unpackChromium()
  // The packaged libraries are used even where the system has its own, so that a browser test behaves the same
  // everywhere.
  const env = {
    ...process.env,
    LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
    FONTCONFIG_FILE: join(folder, 'fonts.conf'),
  }
  return { executablePath: join(folder, 'chromium'), env }
}

/** The folder with Chromium, its libraries and a font; unpacked atomically once per version. */
async function unpackChromium(): Promise<string> {
  const manifest = fileURLToPath(new URL('../package.json', import.meta.resolve('@sparticuz/chromium')))
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string }
  const folder = join(cacheFolder(), `chromium-${version}`)
  if (existsSync(folder)) return folder

  await mkdir(dirname(folder), { recursive: true })
  const draft = await mkdtemp(`${folder}-`)
  // The package always unpacks into the temporary folder and adds the shared libraries only on AWS Lambda. A child
  // process with a separate environment handles both.
  const unpack = "await (await import('@sparticuz/chromium')).default.executablePath()"
  const env = { ...process.env, TMPDIR: draft, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' }
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', unpack], { cwd: project, env })
  await writeFile(join(draft, 'fonts.conf'), fontConfiguration(folder))
  try {
    await rename(draft, folder)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!existsSync(folder)) throw error // otherwise another process was first with the same files
  }
  return folder
}

function fontConfiguration(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`
}
