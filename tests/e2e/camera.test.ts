/**
 * Reading a size from drawn tires, by a fake camera and from a file, and a VIN from a label; and the messages when there
 * is no camera or no permission.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '#tests/support/browser.ts'
import { sidewallShots, takePhoto, type SidewallShot } from '#tests/support/sidewall-photo.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { expectNoAxeFindings, openPage } from './journey.ts'
import { photographLettering } from './lettering.ts'
import { tooWide } from './phone.ts'

let store: RunningStore
let folder: string
beforeAll(async () => {
  store = await startStore()
  folder = await mkdtemp(join(tmpdir(), 'sidewall-camera-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await store[Symbol.asyncDispose]()
})

/** Writes the photo to a file. A JPEG also serves as one frame for the fake camera. */
async function photoFile(shot: SidewallShot, name: string): Promise<string> {
  const { data, info } = await takePhoto(shot)
  const path = join(folder, name)
  await writeFile(
    path,
    await sharp(data, { raw: { ...info, channels: 4 } })
      .removeAlpha()
      .jpeg({ quality: 92, chromaSubsampling: '4:2:0' })
      .toBuffer(),
  )
  return path
}

/** Writes a photo of straight lettering to a file. */
async function straightPhoto(browser: Browser, lines: readonly string[], name: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, await photographLettering(browser, lines))
  return path
}

/** Writes a slightly turned picture with these printed lines to a file. */
async function labelPhoto(lines: readonly string[], name: string): Promise<string> {
  const path = join(folder, name)
  const rows = lines.map((line, index) => `<text x="60" y="${120 + index * 90}">${line}</text>`).join('')
  const label = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="480"><rect width="100%" height="100%" fill="#e8e6df"/><g transform="rotate(1.5)" fill="#222" font-family="monospace" font-size="56">${rows}</g></svg>`
  await sharp(Buffer.from(label)).png().toFile(path)
  return path
}

const shown = (page: Page) => page.getByRole('status').filter({ hasText: /Show tires|We found|We read|more than one/ })
const nearby = () => ({ ...sidewallShots(1)[0]!, distance: 'near', width: 1280, height: 720, rolled: 4 }) as const

test('the camera reads lettering around the wheel, and leads to the tires', async () => {
  await using browser = await launchBrowser({ camera: await photoFile(nearby(), 'near.mjpeg') })
  const context = await browser.newContext({
    permissions: ['camera'],
    reducedMotion: 'reduce',
    viewport: { width: 360, height: 740 },
  })
  const { page, complaints } = await openPage(context)
  await page.goto(`${store.origin}/tire-size-camera`)
  await page.getByRole('button', { name: 'Use the camera' }).click()
  await page.getByRole('button', { name: 'Read this' }).click()
  await shown(page).waitFor({ timeout: 90_000 })
  // The camera is released as soon as the picture is taken.
  const tracks = await page
    .locator('video')
    .evaluate((video: HTMLVideoElement) =>
      (video.srcObject as MediaStream).getTracks().map(({ readyState }) => readyState),
    )
  expect(tracks).toEqual(['ended'])
  expect(await page.getByLabel('Size on the sidewall').inputValue()).toBe('225/65R17')
  await page.getByRole('link', { name: 'Show tires in 225/65R17' }).click()
  await page.waitForURL(`${store.origin}/tire-sizes/225-65r17`)
  expect(complaints).toEqual([])
})

test('a photo of a whole wheel is read by keyboard only, and a photo without a tire shows tips', async () => {
  await using browser = await launchBrowser()
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    viewport: { width: 1280, height: 900 },
    bypassCSP: true,
  })
  const { page, complaints } = await openPage(context)
  await page.goto(`${store.origin}/tire-size-camera`)
  await page
    .getByLabel('Choose a photo')
    .setInputFiles(await photoFile({ ...sidewallShots(1)[0]!, rolled: -25 }, 'wheel.jpg'))
  await shown(page).waitFor({ timeout: 90_000 })
  const link = page.getByRole('link', { name: 'Show tires in 225/65R17' })
  await link.focus()
  expect(await link.getAttribute('href')).toBe('/tire-sizes/225-65r17')
  await expectNoAxeFindings(page)

  const blank = join(folder, 'blank.png')
  await sharp({ create: { width: 320, height: 240, channels: 3, background: '#777777' } })
    .png()
    .toFile(blank)
  await page.getByLabel('Choose a photo').setInputFiles(blank)
  await page.getByText('We found no size in this photo.').waitFor({ timeout: 90_000 })
  // The previous photo's size is gone.
  expect(await page.getByLabel('Size on the sidewall').inputValue()).toBe('')
  await page.getByText('Wipe the sidewall').waitFor()
  await page.getByText('Show us the middle of the wheel').click()
  await page.getByLabel('From the left').waitFor()

  const text = join(folder, 'no-picture.txt')
  await writeFile(text, '225/65R17')
  await page.getByLabel('Choose a photo').setInputFiles(text)
  await page.getByText('We cannot open this file as a picture.').waitFor()
  expect(complaints).toEqual([])
})

test('straight lettering is read from a file; the shopper chooses between two sizes', async () => {
  await using browser = await launchBrowser()
  const { page, complaints } = await openPage(
    await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 360, height: 740 } }),
  )
  await page.goto(`${store.origin}/tire-size-camera`)
  await page
    .getByLabel('Choose a photo')
    .setInputFiles(await straightPhoto(browser, ['225/65R17 102H', '205/55R16 91V'], 'straight.jpg'))
  await shown(page).waitFor({ timeout: 90_000 })
  await page.getByText('There may be more than one size. Which do you see on your tire?').waitFor()
  const links = page.getByRole('link', { name: /^Show tires in / })
  expect((await links.allTextContents()).toSorted()).toEqual(['Show tires in 205/55R16', 'Show tires in 225/65R17'])
  expect(await tooWide(page)).toEqual([])
  await links.filter({ hasText: '205/55R16' }).click()
  await page.waitForURL(`${store.origin}/tire-sizes/205-55r16`)
  expect(complaints).toEqual([])
})

test.for([
  ['no camera', 'NotFoundError', 'We found no camera on this device.'],
  ['a camera that is not allowed', 'NotAllowedError', 'The camera is not allowed here.'],
  ['a camera in use', 'NotReadableError', 'another app may be using it'],
] as const)('%s is reported, and the other ways remain available', async ([, name, words]) => {
  await using browser = await launchBrowser()
  const { page, complaints } = await openPage(await browser.newContext({ reducedMotion: 'reduce' }))
  await page.addInitScript((refusal) => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', refusal))
  }, name)
  await page.goto(`${store.origin}/tire-size-camera`)
  await page.getByRole('button', { name: 'Use the camera' }).click()
  await page.getByRole('status').getByText(words).waitFor()
  expect(await page.getByLabel('Choose a photo').isEnabled()).toBe(true)
  expect(complaints).toEqual([])
})

test('a browser without canvas, and a reader that fails to load, are reported', async () => {
  await using browser = await launchBrowser()
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const { page } = await openPage(context)
  const photo = await photoFile(nearby(), 'near.jpg')
  await page.route('**/reading-engine/**', (route) => route.abort())
  await page.goto(`${store.origin}/tire-size-camera`)
  await page.getByLabel('Choose a photo').setInputFiles(photo)
  await page.getByText('The photo reader did not load.').waitFor()

  await page.addInitScript(() => {
    HTMLCanvasElement.prototype.getContext = () => null
  })
  await page.reload()
  await page.getByLabel('Choose a photo').setInputFiles(photo)
  await page.getByText('This browser cannot open a picture for reading.').waitFor()
})

test('the VIN on a door label is read from a photo into its field, and a photo without one is not', async () => {
  await using browser = await launchBrowser()
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    viewport: { width: 360, height: 740 },
    bypassCSP: true,
  })
  const { page, complaints } = await openPage(context)
  await page.goto(`${store.origin}/find/vin`)
  const button = page.getByRole('button', { name: 'Photo of the VIN, to read it' })
  await button.waitFor()
  expect(await tooWide(page)).toEqual([])
  await page
    .locator('input[type=file]')
    .setInputFiles(await labelPhoto(['TIRE AND LOADING', 'INFORMATION'], 'none.png'))
  await page.getByText('No VIN was found.').waitFor({ timeout: 90_000 })
  const label = await labelPhoto(['MFD BY HONDA OF CANADA', 'VIN: 2HKRW2H53KH612345', 'TYPE: PASSENGER'], 'label.png')
  await page.locator('input[type=file]').setInputFiles(label)
  await page.getByText('Read 2HKRW2H53KH612345. Compare it with your vehicle.').waitFor({ timeout: 90_000 })
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'Find my vehicle' }).click()
  await page.waitForURL(`${store.origin}/vehicles/honda/cr-v/2019?trim=ex`)
  expect(complaints).toEqual([])
})

test('narrow screens don’t scroll sideways and pass axe', async () => {
  await using browser = await launchBrowser()
  const { page } = await openPage(
    await browser.newContext({ viewport: { width: 320, height: 640 }, reducedMotion: 'reduce', bypassCSP: true }),
  )
  await page.goto(`${store.origin}/tire-size-camera`)
  expect(await tooWide(page)).toEqual([])
  await expectNoAxeFindings(page)
})
