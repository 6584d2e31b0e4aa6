import type { QuoteProblem } from '#domain/ordering/checkout/checkout.server.ts'

/** Returns the text about an order's problem for a purchasing system's operator. */
export function problemWords(problem: QuoteProblem): string {
  switch (problem.kind) {
    case 'no-zip':
    case 'zip-not-found':
      return 'The ZIP code is unknown.'
    case 'military':
      return 'Tires do not go to military post offices.'
    case 'no-shop-nearby':
    case 'shop-gone':
      return 'No shop takes the order.'
    case 'pickup-gone':
      return 'The warehouse doesn’t offer pickup.'
    case 'shop-not-capable':
      return 'The shop does not install these tires.'
    case 'out-of-stock':
      return `Not in stock: ${problem.shortages.map(({ available }) => `${available} are left`).join(', ')}.`
    case 'other-brand':
      return `Not among the brands agreed on: ${problem.names.join(', ')}.`
    case 'parts-lacking':
      return `Not available with these tires: ${problem.names.join(', ')}.`
    case 'too-old':
      return problem.tires.map(({ name, text }) => `${name}: ${text}`).join(' ')
    case 'viewer':
      return 'The company may not buy.'
  }
}
