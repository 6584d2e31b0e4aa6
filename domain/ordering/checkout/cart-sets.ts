/** Groups a cart's tires that are mounted together. Pure. */
import type { Axle, CartLine } from '#domain/payments/cart/cart.ts'

type Line = Pick<CartLine, 'axle' | 'quantity'>

/**
 * Lines evaluated as one set, either a single line for all wheels or front and rear lines. `leftAndRightDiffer` means
 * that an axle gets two different tires (rule FR24). `isEitherWay` means that the front pair is unknown.
 */
export type CartSet<Kind extends Line> = {
  readonly lines: readonly Kind[]
  readonly front: Kind | undefined
  readonly rear: Kind | undefined
  readonly leftAndRightDiffer: boolean
  readonly isEitherWay: boolean
}

/**
 * Returns the sets of a cart for a vehicle with `wheels` wheels. Lines not bought for an axle are evaluated separately,
 * unless together they make exactly one set of wheels. In that case two pairs are front and rear, and an odd quantity
 * shares an axle with another tire. Larger quantities may be for two vehicles, so the rules about mixed tires don't
 * apply.
 */
export function cartSets<Kind extends Line>(lines: readonly Kind[], wheels: number): CartSet<Kind>[] {
  const of = (axle: Axle) => lines.filter((line) => line.axle === axle)
  const [whole, front, rear] = [of('all'), of('front'), of('rear')]
  const paired = [...front, ...rear]
  const isOneSet =
    whole.length > 1 && paired.length === 0 && whole.reduce((sum, { quantity }) => sum + quantity, 0) === wheels
  const axles =
    paired.length === 0
      ? []
      : [
          {
            lines: paired,
            front: front[0],
            rear: rear[0],
            leftAndRightDiffer: front.length > 1 || rear.length > 1,
            isEitherWay: false,
          },
        ]
  const [one, other] = whole
  if (isOneSet && whole.length === 2 && one?.quantity === 2 && other?.quantity === 2)
    return [{ lines: whole, front: one, rear: other, leftAndRightDiffer: false, isEitherWay: true }]
  return [
    ...whole.map((line) => ({
      lines: [line],
      front: line,
      rear: undefined,
      leftAndRightDiffer: isOneSet && line.quantity % 2 === 1,
      isEitherWay: false,
    })),
    ...axles,
  ]
}
