/** Checks that apply to any page, whatever its content. Each returns its findings as text and never throws. */
import type { Page } from 'playwright-core'

/** What `layoutFaults`, `brokenWords`, `brokenValues`, and `motionFaults` find. */
export async function staticFaults(page: Page): Promise<string[]> {
  return [
    ...(await layoutFaults(page)),
    ...(await brokenWords(page)),
    ...(await brokenValues(page)),
    ...(await motionFaults(page)),
  ]
}

/**
 * Words that continue on another line without a hyphen, on screens of at least 768 pixels. Emails, URLs, shortened codes,
 * and words of more than 20 characters may break.
 */
export function brokenWords(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    if (window.innerWidth < 768) return []
    const range = document.createRange()
    const linesOf = (text: Node, from: number, to: number) => {
      range.setStart(text, from)
      range.setEnd(text, to)
      return new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top)))
        .size
    }
    const isSeen = (element: Element) => {
      if (!element.checkVisibility({ visibilityProperty: true })) return false
      // Text for screen readers only is clipped away.
      for (let around: Element | null = element; around; around = around.parentElement)
        if (getComputedStyle(around).clipPath !== 'none') return false
      return true
    }
    const faults: string[] = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const { data, parentElement } = text as Text
      if (!parentElement || linesOf(text, 0, data.length) < 2 || !isSeen(parentElement)) continue
      for (const token of data.matchAll(/\S+/g)) {
        if (token[0].length > 20 || /[@_/]|\w\.\w|…$/.test(token[0])) continue
        for (const word of token[0].matchAll(/\p{L}{2,}/gu)) {
          const from = token.index + word.index
          if (linesOf(text, from, from + word[0].length) > 1)
            faults.push(
              `the word “${word[0]}” is broken at ${window.innerWidth}: ${parentElement.outerHTML.slice(0, 100)}`,
            )
        }
      }
    }
    return faults
  })
}

/**
 * Dates, times, amounts, and record numbers that continue on another line in tables, facts, and buttons, on screens of at
 * least 768 pixels.
 */
export function brokenValues(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    if (window.innerWidth < 768) return []
    const values =
      /(?:[A-Z][a-z]{2}, )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{1,2}\b|\d{1,2}:\d\d [AP]M|[-−–]?\$[\d,.]+\d|\b[A-Z]{1,4}-\d{3,}\b/g
    const range = document.createRange()
    const faults: string[] = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const { data, parentElement } = text as Text
      if (!parentElement?.closest('td, .office-facts dd, .tag, .btn, .office-appointments')) continue
      if (!parentElement.checkVisibility({ visibilityProperty: true })) continue
      if (parentElement.closest('.visually-hidden, .list-peek, p, blockquote, pre')) continue
      for (const { 0: value, index } of data.matchAll(values)) {
        range.setStart(text, index)
        range.setEnd(text, index + value.length)
        const lines = [...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top))
        if (new Set(lines).size > 1)
          faults.push(`“${value}” is broken at ${window.innerWidth}: ${parentElement.outerHTML.slice(0, 100)}`)
      }
    }
    return faults
  })
}

/**
 * Controls of a page's content that are smaller than 44 by 44 pixels. For phones. Links and buttons in text have their
 * own rule.
 */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const controls = 'button:not(.link), .btn, .chip, .input, select, summary, input:not([type=hidden])'
    return [...document.querySelectorAll(`main :is(${controls})`)].flatMap((control) => {
      if (!control.checkVisibility({ visibilityProperty: true })) return []
      // The labels of a box or file are targets, too.
      const isBox = control instanceof HTMLInputElement && ['checkbox', 'radio', 'file'].includes(control.type)
      const targets = [control, ...(isBox ? (control.labels ?? []) : [])].map((each) => each.getBoundingClientRect())
      const isLarge = targets.some(({ width, height }) => width > 43.5 && height > 43.5)
      const { width, height } = control.getBoundingClientRect()
      const isHidden = getComputedStyle(control).clipPath !== 'none' || width < 2
      if (isHidden || isLarge || control.matches('.maplibregl-map *, [tabindex="-1"]')) return []
      const size = `${Math.round(width)} by ${Math.round(height)}`
      return [`a target of ${size} at ${window.innerWidth}: ${control.outerHTML.slice(0, 100)}`]
    })
  })
}

/** Headings out of order, elements wider than the window or their box, and buttons narrower than their text. */
export function layoutFaults(page: Page): Promise<string[]> {
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

    // Elements to check for overflow, because a table that overflows its panel doesn't always widen the window.
    const boxes =
      'table, td, th, fieldset, dialog, .panel, .notice, .office-panel, .office-notice, .job-panel, .portal-news'
    // Elements with a negative margin overflow on purpose.
    const isPulledOut = ({ marginLeft, marginRight }: CSSStyleDeclaration) =>
      Number.parseFloat(marginLeft) < 0 || Number.parseFloat(marginRight) < 0
    for (const element of document.querySelectorAll('main *')) {
      const box = element.parentElement?.closest(boxes)
      if (!box || !element.checkVisibility({ visibilityProperty: true }) || element.closest('svg')) continue
      const own = getComputedStyle(element)
      if (own.position === 'absolute' || own.position === 'fixed' || own.clipPath !== 'none' || isPulledOut(own))
        continue
      let between = element.parentElement
      let isClipped = false
      for (; between && between !== box.parentElement; between = between.parentElement) {
        const style = getComputedStyle(between)
        const isAway = style.position === 'absolute' || style.position === 'fixed' || style.clipPath !== 'none'
        if (style.overflowX !== 'visible' || isAway || (between !== box && isPulledOut(style))) isClipped = true
      }
      const [inner, outer] = [element.getBoundingClientRect(), box.getBoundingClientRect()]
      if (isClipped || inner.width === 0 || outer.width === 0) continue
      const out = Math.round(Math.max(inner.right - outer.right, outer.left - inner.left))
      if (out > 1) faults.push(`sticks out of its box by ${out} px at ${window.innerWidth}: ${name(element)}`)
    }

    for (const button of document.querySelectorAll('button, .btn, .slot')) {
      if (!button.checkVisibility({ visibilityProperty: true })) continue
      const { left, right } = button.getBoundingClientRect()
      const texts = document.createTreeWalker(button, NodeFilter.SHOW_TEXT)
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        // Text for screen readers only is clipped away.
        const isHidden = text.parentElement && getComputedStyle(text.parentElement).clipPath !== 'none'
        if (!text.textContent?.trim() || isHidden) continue
        const range = document.createRange()
        range.selectNodeContents(text)
        const out = [...range.getClientRects()].some((rect) => rect.left < left - 1 || rect.right > right + 1)
        if (out) faults.push(`narrower than its text at ${window.innerWidth}: ${name(button)}`)
      }
    }

    return faults
  })
}

/** Motion despite a preference for reduced motion, which no width of the window changes. */
function motionFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const name = (element: Element) => element.outerHTML.replace(/\s+/g, ' ').slice(0, 100)
    const faults: string[] = []
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

/** Buttons on a page without script that neither submit a form nor open anything. */
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
 * Moves through the page with only the Tab key. Every interactive element must be reached in document order, with
 * visible focus, and not covered. The first stop must skip the header.
 */
export async function keyboardFaults(page: Page): Promise<string[]> {
  let left = await page.evaluate(watchFocus)
  const devtools = await page.context().newCDPSession(page)
  const key = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 }
  // Whatever remains after the first round is behind a frame, which has its own stops, or is never reached.
  for (let round = 0; round < 3 && left > 0; round++) {
    // Sent in parallel, since awaiting each doubles the time. Three extra presses wrap around from the end of the page
    // to its first stop.
    const stops = left + 3
    // A time or date field has up to four tab stops.
    const presses = Array.from({ length: round === 0 ? stops : stops * 4 }, () => [
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
    /** The elements not yet reached, and the findings so far. */
    tabWalk: { left(): Element[]; faults(): Promise<string[]> }
  }
}

/** Runs in the page. Records the focused element before each Tab. Returns the expected number of stops. */
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
      // A grid is one stop. Arrow keys move within it, which other tests cover.
      !element.closest('[role=grid]') &&
      element.checkVisibility({ visibilityProperty: true }) &&
      isFirstOfGroup(element),
  )
  const expected = usable.filter(({ tabIndex }) => tabIndex >= 0)
  // Tab may skip a duplicate link hidden from assistive technology, and list options, which arrow keys reach.
  const kept = usable.filter(
    (element) =>
      element.tabIndex < 0 &&
      element.matches('a, button, input, select, textarea') &&
      !element.closest('[aria-hidden=true], [role=option]'),
  )
  // The focus ring may be on a field's label or box instead of the field itself.
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
  const hidden = new Map<HTMLElement, Element[]>()
  const note = () => {
    const focused = document.activeElement
    if (!focused || focused === document.body || met.includes(focused)) return
    met.push(focused)
    if (!expected.includes(focused as HTMLElement)) return
    const ringed = around(focused).filter((element) => plain.has(element) && plain.get(element) !== ringOf(element))
    if (ringed.length === 0) faults.push(`nobody sees that it has the focus: ${name(focused)}`)
    else if (ringed.every((element) => coverOf(element) !== '')) hidden.set(focused as HTMLElement, ringed)
  }
  /** Checks elements again that were hidden during fast key presses or while content was loading. */
  const stillHidden = async () => {
    const found: string[] = []
    for (const [focused, ringed] of hidden) {
      if (!focused.isConnected) continue
      focused.blur()
      focused.focus()
      for (let frame = 0; frame < 3; frame += 1) await new Promise((done) => void requestAnimationFrame(done))
      if (ringed.every((element) => coverOf(element) !== ''))
        found.push(`with the focus it is ${coverOf(ringed[0]!)}: ${name(focused)}`)
    }
    return found
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
    faults: async () => {
      const walked = met.filter((element) => expected.includes(element as HTMLElement))
      const inOrder = expected.filter((element) => met.includes(element))
      const astray = walked.findIndex((element, index) => element !== inOrder[index])
      return [
        ...(met[0]?.matches('a.skip[href="#main"]') ? [] : ['the first stop does not lead past the header']),
        ...kept.map((element) => `kept from the Tab key: ${name(element)}`),
        ...left().map((element) => `the Tab key never reaches it: ${name(element)}`),
        ...(astray < 0 ? [] : [`out of order: ${name(walked[astray]!)}`]),
        ...faults,
        ...(await stillHidden()),
      ]
    },
  }
  return expected.length
}

type LayoutShift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node: Node | null }[] }

/** The limit for layout shifts. Core Web Vitals allow 0.1 (https://web.dev/articles/cls). */
const maxShift = 0.02

/** Returns the layout shifts since navigation, except after user input. */
export async function shiftFaults(page: Page): Promise<string[]> {
  const shifts = await page.evaluate(async () => {
    const entries = await new Promise<LayoutShift[]>((done) => {
      const observer = new PerformanceObserver((list) => done(list.getEntries() as LayoutShift[]))
      observer.observe({ type: 'layout-shift', buffered: true })
      // The observer isn't called if there are no shifts.
      setTimeout(() => done([]), 100)
    })
    return entries
      .filter(({ hadRecentInput }) => !hadRecentInput)
      .map(({ value, sources }) => ({
        value,
        moved: sources.map(({ node }) => (node instanceof Element ? node.outerHTML.slice(0, 80) : 'text')).join(', '),
      }))
  })
  const sum = shifts.reduce((total, { value }) => total + value, 0)
  return sum > maxShift ? [`layout shifts of ${sum.toFixed(3)}: ${shifts.map(({ moved }) => moved).join('; ')}`] : []
}
