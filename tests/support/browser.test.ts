import { expect, test } from 'vitest'
import { launchBrowser } from './browser.ts'

test('the packaged browser runs script, renders text and WebGL, and has a camera', async () => {
  await using browser = await launchBrowser()
  const page = await browser.newPage()
  await page.goto('data:text/html,<title>Tires</title><p style="display:inline">2256517</p>')

  expect(await page.title()).toBe('Tires')
  expect((await page.locator('p').boundingBox())?.width).toBeGreaterThan(20)
  expect(await page.evaluate(() => document.createElement('canvas').getContext('webgl2') !== null)).toBe(true)
})

test('the fake camera plays without a prompt', async () => {
  await using browser = await launchBrowser()
  const page = await browser.newPage()
  // Cameras require a secure origin, which this route simulates without a network.
  await page.route('https://camera.test/', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<video autoplay muted></video>' }),
  )
  await page.goto('https://camera.test/')

  const size = await page.evaluate(async () => {
    const video = document.querySelector('video')!
    video.srcObject = await navigator.mediaDevices.getUserMedia({ video: true })
    await video.play()
    return [video.videoWidth, video.videoHeight]
  })

  expect(size).toEqual([640, 480])
})
