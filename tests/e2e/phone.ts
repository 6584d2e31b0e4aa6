/** Measurements of a page on a phone, for a thumb in a glove. */
import type { Locator, Page } from 'playwright-core'

/** Controls less than 44 pixels wide or high. A box or radio button counts with its label. */
export async function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [
      ...document.querySelectorAll(
        'header :is(a, button, summary), main :is(a, button, summary, input, select, textarea)',
      ),
    ]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .map((element) => ({ element, box: (element.closest('label') ?? element).getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && Math.min(box.width, box.height) < 44)
      .map(
        ({ element, box }) =>
          `${Math.round(box.width)} × ${Math.round(box.height)}: ${element.outerHTML.slice(0, 120)}`,
      ),
  )
}

/** Returns whether an element is in the window as scrolled now, from top to bottom. */
export async function isInWindow(element: Locator): Promise<boolean> {
  return element.evaluate((part) => {
    const { top, bottom } = part.getBoundingClientRect()
    return top >= 0 && bottom <= innerHeight
  })
}
