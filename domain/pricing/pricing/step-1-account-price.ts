import { ignored, type IgnoredOffer } from './ignored-offers.ts'
import {
  accountPriceNames,
  publicDealName,
  quotedPriceName,
  type AccountType,
  type PriceInput,
  type ServiceLine,
  type TireLine,
} from './price-input.ts'
import { standardPriceRates } from '#domain/kernel/rates/rates.ts'
import { inCanonicalOrder, lineName, newLine, SERVICE_NAMES, tireCount, type PriceLine } from './price-line.ts'

/**
 * Step 1: returns the order's lines in canonical order, one per article and kind, each tire at one label's price.
 * Removes services with an unmet requirement, and adds the reason. Throws if two lines of one item contradict each
 * other, because they come from one catalog row.
 */
export function openLines(input: PriceInput): { lines: PriceLine[]; ignored: IgnoredOffer[] } {
  const tires = merge(input.tires, (tire) => tire.articleId, sameTire).map((tire) =>
    newLine({
      kind: 'tire',
      articleId: tire.articleId,
      name: tire.name,
      quantity: tire.quantity,
      rimInches: tire.rimInches,
      fetUnitCents: tire.fetUnitCents,
      ...accountPrice(input.accountType, tire),
    }),
  )
  const services = merge(
    input.services,
    serviceKey,
    ({ eachCents, accountEachCents, plan }) => `${eachCents} ${accountEachCents} ${plan}`,
  ).map((service) => keepService(service, tires, input))
  const shipping =
    input.shipping && newLine({ kind: 'shipping', articleId: null, quantity: 1, unitCents: input.shipping.cents })
  return {
    lines: inCanonicalOrder([...tires, ...services.flatMap(({ line }) => line ?? []), ...(shipping ? [shipping] : [])]),
    ignored: services.flatMap(({ ignored }) => ignored ?? []),
  }
}

/**
 * Returns the order's price label. It is Retail for a special order without a quote, and otherwise the account's own.
 */
export function labelOfOrder({ accountType, tires }: Pick<PriceInput, 'accountType' | 'tires'>): AccountType {
  return accountType === 'Special Order' &&
    tires.every(({ accountUnitCents, quotedUnitCents }) => accountUnitCents === null && quotedUnitCents === undefined)
    ? 'Retail'
    : accountType
}

/**
 * Sets the unit prices' labels to the account's own, or to the public deal if retail is charged although the account
 * has a price.
 */
export function labelLines(
  {
    lines,
    accountType,
    passedOver,
  }: { lines: readonly PriceLine[]; accountType: AccountType; passedOver: AccountType | null },
  { tires }: Pick<PriceInput, 'tires'>,
): PriceLine[] {
  const quoted = new Set(tires.flatMap((tire) => (tire.quotedUnitCents === undefined ? [] : tire.articleId)))
  const ownCents = new Map(tires.map(({ articleId, accountUnitCents }) => [articleId, accountUnitCents]))
  return lines.map((line) => {
    if (line.kind === 'tire' && quoted.has(line.articleId ?? '')) return { ...line, label: quotedPriceName }
    if (line.atAccountPrice) return { ...line, label: accountPriceNames[accountType] ?? null }
    const own = line.kind === 'tire' && line.articleId !== null ? (ownCents.get(line.articleId) ?? null) : null
    return passedOver !== null && own !== null && own < line.unitCents
      ? { ...line, label: publicDealName(passedOver) }
      : line
  })
}

/** The account's price if it is lower than Retail, else Retail; a staff quote or Special Order price in any case. */
function accountPrice(accountType: AccountType, tire: TireLine): Pick<PriceLine, 'unitCents' | 'atAccountPrice'> {
  if (tire.quotedUnitCents !== undefined) return { unitCents: tire.quotedUnitCents, atAccountPrice: true }
  const own = accountType === 'none' || accountType === 'Retail' ? null : tire.accountUnitCents
  const takesOwn = own !== null && (accountType === 'Special Order' || own < tire.retailUnitCents)
  return takesOwn
    ? { unitCents: own, atAccountPrice: true }
    : { unitCents: tire.retailUnitCents, atAccountPrice: false }
}

function keepService(
  service: ServiceLine,
  tires: readonly PriceLine[],
  input: PriceInput,
): { line?: PriceLine; ignored?: IgnoredOffer } {
  const { kind, articleId, quantity, eachCents, accountEachCents, plan, name } = service
  const isTireAtAccountPrice = tires.some((tire) => tire.articleId === articleId && tire.atAccountPrice)
  const line = newLine({
    kind,
    articleId,
    quantity,
    ...(plan && { plan }),
    ...(name && { name }),
    unitCents: isTireAtAccountPrice ? (accountEachCents ?? eachCents) : eachCents,
  })
  if (service.kind === 'coverage') {
    const covered = tireCount(
      tires.filter((tire) => service.articleId === null || tire.articleId === service.articleId),
    )
    if (service.quantity <= covered) return { line }
    const removed = ignored('coverage', 'no-tire-to-cover', lineName(line), { lineId: line.id })
    return covered === 0 ? { ignored: removed } : { line: newLine({ ...line, quantity: covered }), ignored: removed }
  }
  if (service.kind === 'roadside') {
    const { roadsideTires } = input.terms ?? standardPriceRates
    const hasInstallation = input.services.some(({ kind: each }) => each === 'installation')
    if (hasInstallation && tireCount(tires) >= roadsideTires) return { line: newLine({ ...line, quantity: 1 }) }
    return {
      ignored: ignored('roadside', 'needs-four-tires-and-installation', SERVICE_NAMES.roadside, {
        lineId: line.id,
        tires: roadsideTires,
      }),
    }
  }
  return { line }
}

/** Adds up the quantities of items with the same key. */
function merge<Item extends { readonly quantity: number }>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  sameOf: (item: Item) => string,
): Item[] {
  const merged = new Map<string, Item>()
  for (const item of items) {
    const before = merged.get(keyOf(item))
    if (before && sameOf(before) !== sameOf(item))
      throw new RangeError(`Two lines of ${keyOf(item)} disagree on what it is or costs`)
    merged.set(keyOf(item), before ? { ...before, quantity: before.quantity + item.quantity } : item)
  }
  return [...merged.values()]
}

function sameTire(tire: TireLine): string {
  const promotions = tire.promotions.map((promotion) => JSON.stringify(promotion)).toSorted()
  return JSON.stringify([
    tire.name,
    tire.retailUnitCents,
    tire.accountUnitCents,
    tire.quotedUnitCents,
    tire.rimInches,
    tire.fetUnitCents,
    promotions,
  ])
}

function serviceKey(service: ServiceLine): string {
  return service.articleId === null ? service.kind : `${service.kind}:${service.articleId}`
}
