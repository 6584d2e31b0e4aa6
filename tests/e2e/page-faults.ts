/**
 * What can be told of any page in a browser without knowing what it is about. Each answers what it finds, in words, and
 * throws nothing.
 */
import type { Page } from 'playwright-core'

/**
 * Headings out of order, what is wider than the window, and what still moves for a reader who asked for less motion.
 */
export function staticFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const name = (element: Element) => element.outerHTML.replace(/\s+/g, ' ').slice(0, 100)
    const faults: string[] = []

    const headings = [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].filter((heading) =>
      heading.checkVisibility(),
    )
    const levels = headings.map(({ tagName }) => Number(tagName.slice(1)))
    const first = levels.filter((level) => level === 1).length
    if (first !== 1) faults.push(`${first} headings of the first level`)
    levels.forEach((level, index) => {
      if (level > (levels[index - 1] ?? 0) + 1)
        faults.push(`a heading of level ${level} after ${levels[index - 1] ?? 'nothing'}: ${name(headings[index]!)}`)
    })

    const over = document.documentElement.scrollWidth - window.innerWidth
    if (over > 0) {
      const widest = [...document.querySelectorAll('body *')].findLast(
        (element) => element.getBoundingClientRect().right > window.innerWidth + 1,
      )
      faults.push(`${over} px wider than ${window.innerWidth}: ${widest ? name(widest) : 'nobody knows why'}`)
    }

    const longest = (times: string) =>
      Math.max(...times.split(',').map((time) => Number.parseFloat(time) * (time.trim().endsWith('ms') ? 1 : 1000)))
    for (const element of document.querySelectorAll('*')) {
      for (const part of [null, '::before', '::after']) {
        const style = getComputedStyle(element, part)
        const moves =
          longest(style.transitionDuration) > 1 ||
          (style.animationName !== 'none' && longest(style.animationDuration) > 1)
        if (moves) faults.push(`moves for longer than 1 ms: ${part ?? ''} ${name(element)}`)
      }
      if (getComputedStyle(element).scrollBehavior === 'smooth') faults.push(`scrolls smoothly: ${name(element)}`)
    }
    for (const moving of document.querySelectorAll('animate, animateMotion, animateTransform, marquee'))
      faults.push(`moves by itself: ${name(moving)}`)
    return faults
  })
}

/** Buttons of a page without script that neither send a form nor open anything. */
export function deadButtons(page: Page): Promise<string[]> {
  return page
    .locator('button:enabled:visible')
    .evaluateAll((buttons) =>
      (buttons as HTMLButtonElement[])
        .filter(
          (button) => !(button.form && button.type === 'submit') && !button.matches('[popovertarget], [commandfor]'),
        )
        .map((button) => `a button that does nothing: ${button.outerHTML.slice(0, 100)}`),
    )
}

/**
 * Walks through the page with the Tab key alone. Everything that can be used must be met, in the order of the document;
 * one must see where one is; and nothing may lie over it. The first stop leads past the header.
 */
export async function keyboardFaults(page: Page): Promise<string[]> {
  let left = await page.evaluate(watchFocus)
  const devtools = await page.context().newCDPSession(page)
  const key = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 }
  // What is left after the first round lies behind a frame, which has stops of its own, or is never reached.
  for (let round = 0; round < 3 && left > 0; round++) {
    // Not one by one: every answer awaited doubles the time. Three more go over the end of the page and to its first
    // stop again.
    const presses = Array.from({ length: left + 3 }, () => [
      devtools.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key }),
      devtools.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key }),
    ])
    await Promise.all(presses.flat())
    left = await page.evaluate(() => window.tabWalk.left().length)
  }
  await devtools.detach()
  return page.evaluate(() => window.tabWalk.faults())
}

declare global {
  interface Window {
    /** What the walk has not met yet, and what it has found. */
    tabWalk: { left(): Element[]; faults(): string[] }
  }
}

/**
 * Runs in the page: notes what has the focus whenever Tab is about to move it on. Answers how many stops there should
 * be.
 */
function watchFocus(): number {
  const name = (element: Element) => element.outerHTML.replace(/\s+/g, ' ').slice(0, 100)
  const isFirstOfGroup = (input: Element) => {
    if (!(input instanceof HTMLInputElement) || input.type !== 'radio') return true
    const group = [...document.querySelectorAll<HTMLInputElement>('input[type=radio]')].filter(
      (other) => other.name === input.name && other.form === input.form,
    )
    return input === (group.find(({ checked }) => checked) ?? group.find(({ disabled }) => !disabled))
  }
  const usable = [
    ...document.querySelectorAll<HTMLElement>(
      'a[href], area[href], button, input, select, textarea, summary, [tabindex], [contenteditable]',
    ),
  ].filter(
    (element) =>
      !element.matches(':disabled, [type=hidden]') &&
      !element.closest('[inert]') &&
      element.checkVisibility({ visibilityProperty: true }) &&
      isFirstOfGroup(element),
  )
  const expected = usable.filter(({ tabIndex }) => tabIndex >= 0)
  // The Tab key may pass by a second link to the same, which is told to nobody, and the options of a list, which the
  // arrow keys walk.
  const kept = usable.filter(
    (element) =>
      element.tabIndex < 0 &&
      element.matches('a, button, input, select, textarea') &&
      !element.closest('[aria-hidden=true], [role=option]'),
  )
  // A ring may be drawn around the label or the box of a field instead of the field itself.
  const around = (element: Element) => [
    element,
    ...[element.nextElementSibling, element.parentElement, element.closest('label')].filter((other) => other !== null),
  ]
  const ringOf = (element: Element) => {
    const { outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(element)
    return `${outlineStyle === 'none' ? '' : `${outlineStyle} ${outlineWidth} ${outlineColor}`} ${boxShadow}`
  }
  const plain = new Map(expected.flatMap(around).map((element) => [element, ringOf(element)]))

  const met: Element[] = []
  const faults: string[] = []
  const note = () => {
    const focused = document.activeElement
    if (!focused || focused === document.body || met.includes(focused)) return
    met.push(focused)
    if (!expected.includes(focused as HTMLElement)) return
    const ringed = around(focused).filter((element) => plain.has(element) && plain.get(element) !== ringOf(element))
    if (ringed.length === 0) faults.push(`nobody sees that it has the focus: ${name(focused)}`)
    else if (ringed.every((element) => coverOf(element) !== ''))
      faults.push(`with the focus it is ${coverOf(ringed[0]!)}: ${name(focused)}`)
  }
  const coverOf = (element: Element) => {
    let covering = ''
    for (const { left, right, top, bottom } of element.getClientRects()) {
      const [from, to] = [Math.max(left, 0), Math.min(right, window.innerWidth)]
      const [high, low] = [Math.max(top, 0), Math.min(bottom, window.innerHeight)]
      if (from >= to || high >= low) continue
      const points = [0.5, 0.1, 0.9].flatMap((x) =>
        [0.5, 0.1, 0.9].map((y) => [from + (to - from) * x, high + (low - high) * y] as const),
      )
      for (const [x, y] of points) {
        const top = document.elementFromPoint(x, y)
        if (top && (element.contains(top) || top.contains(element))) return ''
        if (top) covering = `under ${name(top)}`
      }
    }
    return covering || 'out of sight'
  }
  document.addEventListener('keydown', (event) => event.key === 'Tab' && note(), true)

  const left = () => expected.filter((element) => !met.includes(element) && element.isConnected)
  window.tabWalk = {
    left,
    faults: () => {
      const walked = met.filter((element) => expected.includes(element as HTMLElement))
      const inOrder = expected.filter((element) => met.includes(element))
      const astray = walked.findIndex((element, index) => element !== inOrder[index])
      return [
        ...(met[0]?.matches('a.skip[href="#main"]') ? [] : ['the first stop does not lead past the header']),
        ...kept.map((element) => `kept from the Tab key: ${name(element)}`),
        ...left().map((element) => `the Tab key never reaches it: ${name(element)}`),
        ...(astray < 0 ? [] : [`out of order: ${name(walked[astray]!)}`]),
        ...faults,
      ]
    },
  }
  return expected.length
}
