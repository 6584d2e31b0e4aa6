/** Breaks a valid page in one way after another. The page checks must report each. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '#tests/support/browser.ts'
import { axeFindings } from './journey.ts'
import { deadButtons, keyboardFaults, staticFaults } from './page-faults.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

const page = `<!doctype html>
<html lang="en">
  <head>
    <title>A page</title>
    <style>
      a, button { display: inline-block; min-height: 30px }
      :focus-visible { outline: 3px solid blue }
    </style>
  </head>
  <body>
    <a class="skip" href="#main">Skip</a>
    <header><a href="/home">Home</a></header>
    <main id="main">
      <h1>First</h1>
      <h2>Second</h2>
      <p><a id="one" href="/one">One</a></p>
      <form method="post"><button>Send</button></form>
      <p><a id="two" href="/two">Two</a></p>
      <div style="height: 1500px"></div>
      <p><a id="last" href="/last">Last</a></p>
    </main>
  </body>
</html>`

const bar = '<aside style="position: fixed; inset: auto 0 0; height: 300px; background: white">A bar</aside>'
const pulse =
  '<style>@keyframes pulse { to { opacity: 0 } } #one::before { content: ""; animation: pulse 2s infinite }</style>'

test.for([
  ['nothing', '', ''],
  [
    'a second main heading',
    'document.querySelector("h2").outerHTML = "<h1>Second</h1>"',
    '2 headings of the first level',
  ],
  ['a level left out', 'document.querySelector("h2").outerHTML = "<h4>Second</h4>"', 'a heading of level 4 after 1'],
  ['too wide', 'document.querySelector("h1").style.width = "3000px"', 'px wider than 800: <h1'],
  [
    'wider than its box',
    'document.querySelector("h2").outerHTML = "<section class=panel style=width:200px><h2>Second</h2><table style=width:300px><tr><td>A</table></section>"',
    'sticks out of its box by 100 px at 800: <table',
  ],
  [
    'a broken word',
    'document.querySelector("h2").outerHTML = "<h2 style=width:60px;overflow-wrap:anywhere>Installation</h2>"',
    'the word “Installation” is broken at 800: <h2',
  ],
  [
    'nothing, because an email and a long code may break',
    'document.querySelector("h2").outerHTML = "<h2 style=width:120px;overflow-wrap:anywhere>someone@example.com ABCDEFGHIJKLMNOPQRSTU all-weather</h2>"',
    '',
  ],
  [
    'a transition',
    'document.querySelector("#one").style.transition = "color 300ms"',
    'moves for longer than 1 ms:  <a id="one"',
  ],
  [
    'an animation before it',
    `document.head.insertAdjacentHTML("beforeend", ${JSON.stringify(pulse)})`,
    'moves for longer than 1 ms: ::before',
  ],
  ['a smooth scroll', 'document.documentElement.style.scrollBehavior = "smooth"', 'scrolls smoothly: <html'],
  ['a dead button', 'document.querySelector("button").type = "button"', 'a button that does nothing: <button'],
  [
    'no ring',
    'document.querySelector("#two").style.outline = "none"',
    'nobody sees that it has the focus: <a id="two"',
  ],
  ['a tabindex', 'document.querySelector("#last").tabIndex = 1', 'out of order: <a id="last"'],
  ['no tabindex', 'document.querySelector("#two").tabIndex = -1', 'kept from the Tab key: <a id="two"'],
  [
    'a focus passed on',
    'document.querySelector("#two").addEventListener("focus", () => document.querySelector("#last").focus())',
    'the Tab key never reaches it: <a id="two"',
  ],
  [
    'a bar over it',
    `document.body.insertAdjacentHTML("beforeend", ${JSON.stringify(bar)})`,
    'with the focus it is under <aside',
  ],
  [
    'left of the window',
    'document.querySelector("#two").style = "position: absolute; left: -5000px"',
    'with the focus it is out of sight: <a id="two"',
  ],
  [
    'no way past the header',
    'document.querySelector(".skip").remove()',
    'the first stop does not lead past the header',
  ],
  [
    'small targets',
    'document.querySelector("header").innerHTML = "<ul><li><a href=/1>1</a> <a href=/2>2</a></ul>"; for (const link of document.querySelectorAll("li a")) link.style = "min-height: 0; font-size: 9px; line-height: 1"',
    'target-size',
  ],
  [
    'a squeezed button',
    'document.querySelector("button").style = "width: 20px; padding: 0; white-space: nowrap"',
    'narrower than its text at 800: <button',
  ],
  ['a button without a name', 'document.querySelector("button").textContent = ""', 'button-name'],
] as const)('%s', async ([, spoil, told]) => {
  await using context = await browser.newContext({ viewport: { width: 800, height: 600 }, reducedMotion: 'reduce' })
  const opened = await context.newPage()
  await opened.setContent(page)
  await opened.evaluate(spoil)
  const faults = [
    ...(await staticFaults(opened)),
    ...(await deadButtons(opened)),
    ...(await axeFindings(opened)),
    ...(await keyboardFaults(opened)),
  ]
  if (told === '') expect(faults).toEqual([])
  else expect(faults.join('\n')).toContain(told)
})
