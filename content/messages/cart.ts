/** Describes a cart and the problems that block its order, for pages and the API. */
import { zipMessages } from '#content/messages/places.ts'
import { tireCountOf, type Cart } from '#domain/payments/cart/cart.ts'
import type { QuoteProblem } from '#domain/ordering/checkout/checkout.server.ts'
import { countOf, pluralForm } from '#platform/count-text.ts'

/** "4 Kestrel Alltide AS2 for your 2021 Toyota RAV4 XLE" */
export function cartSentence(cart: Cart, vehicleName: string | null): string {
  const [first] = cart.lines
  const same = cart.lines.every(
    (line) => line.article.line === first?.article.line && line.article.brand === first.article.brand,
  )
  const what =
    first && same
      ? `${tireCountOf(cart)} ${first.article.brand} ${first.article.line}`
      : countOf(tireCountOf(cart), 'tire')
  return vehicleName ? `${what} for your ${vehicleName}` : what
}

/** Explains that other customers' carts hold the missing tires for a few minutes. */
export function heldText({ available }: { available: number }): string {
  const left =
    available === 0
      ? 'The last of one of your tires are'
      : `Only ${available} of one of your tires ${pluralForm(available, 'is', 'are')} available right now. The others are`
  return `${left} reserved by customers who are checking out. Try again in a few minutes, or pick another tire.`
}

/** Same, for the cart line with too few tires. */
export function shortageText({ available, heldUnits }: { available: number; heldUnits: number }): string {
  if (heldUnits === 0) return available === 0 ? 'Sold out. Remove it to continue.' : `Only ${available} left.`
  return available === 0
    ? 'Reserved by customers who are checking out. Try again in a few minutes.'
    : `Only ${available} available right now. Others are reserved by customers who are checking out.`
}

/** The problem, then what to do. */
export function problemText(problem: QuoteProblem): string {
  switch (problem.kind) {
    case 'no-zip':
      return 'Set your ZIP to see the price out the door.'
    case 'zip-not-found':
    case 'military':
      return zipMessages[problem.kind]
    case 'no-shop-nearby':
      return 'No shop within 50 miles installs these tires. We can ship them to you.'
    case 'shop-not-capable':
      if (problem.faults.includes('no-service')) return 'This shop no longer offers this service. Choose another one.'
      return 'This shop doesn’t install this type of tire. Choose another shop.'
    case 'shop-gone':
      return 'This shop no longer takes appointments. Pick another shop.'
    case 'pickup-gone':
      return 'This warehouse no longer offers pickup. Choose another way to get your tires.'
    case 'viewer':
      return 'You can view your company’s orders but not buy for it. Ask one of its owners for another role.'
    case 'other-brand':
      return `${problem.names.join(' and ')}: not among the brands your account can buy. Take ${pluralForm(problem.names.length, 'it', 'them')} out of the cart.`
    case 'parts-lacking':
      return `${problem.names.join(' and ')}: not available with these tires. Remove ${pluralForm(problem.names.length, 'it', 'them')} from the cart.`
    case 'too-old':
      return `${problem.tires.map(({ name, text }) => `${name}: ${text}`).join(' ')} Remove ${pluralForm(problem.tires.length, 'it', 'them')} from the cart.`
    case 'out-of-stock':
      return problem.shortages
        .map((shortage) =>
          (shortage.held ?? 0) > 0
            ? heldText(shortage)
            : shortage.available === 0
              ? 'One of your tires just sold out. Take it out of the cart, or pick another.'
              : `Only ${shortage.available} of ${shortage.wanted} are left of one of your tires. Lower the quantity in the cart.`,
        )
        .join(' ')
  }
}
