/** Measures a page for touch on a phone, after its stylesheets load. */
import type { Locator, Page } from 'playwright-core'

/** Controls less than `min` pixels wide or high. A box or radio button counts with its label. */
export async function smallTargets(page: Page, min = 44): Promise<string[]> {
  await page.waitForLoadState()
  return page.evaluate(
    (least) =>
      [
        ...document.querySelectorAll(
          'header :is(a, button, summary), main :is(a, button, summary, input, select, textarea)',
        ),
      ]
        .filter((element) => element.checkVisibility({ visibilityProperty: true }))
        .map((element) => ({ element, box: (element.closest('label') ?? element).getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0 && Math.min(box.width, box.height) < least)
        .map(
          ({ element, box }) =>
            `${Math.round(box.width)} × ${Math.round(box.height)}: ${element.outerHTML.slice(0, 120)}`,
        ),
    min,
  )
}

/** The elements that make the page wider than the window. */
export async function tooWide(page: Page): Promise<string[]> {
  await page.waitForLoadState()
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const outside = [...document.querySelectorAll('body *')].filter(
      (part) => Math.abs(part.getBoundingClientRect().right - scrollWidth) < 2,
    )
    return [`${scrollWidth} px`, ...outside.map((part) => part.outerHTML.slice(0, 120))]
  })
}

/** Returns whether an element is in the window as scrolled now, from top to bottom. */
export async function isInWindow(element: Locator): Promise<boolean> {
  await element.page().waitForLoadState()
  return element.evaluate((part) => {
    const { top, bottom } = part.getBoundingClientRect()
    return top >= 0 && bottom <= innerHeight
  })
}
