/** Kinds of tires that we don't sell, so that a search for one returns a notice instead of a guessed vehicle. */
import type { Matches } from './search-matches.ts'
import type { SearchQuery } from './search-query.ts'
import { namedTypes, wellMet, type Ranked } from './search-ranked.ts'

/** `name` as in "We do not sell …"; `matched` is what the shopper typed for it, letters and digits only. */
export type OtherKind = {
  readonly name: string
  readonly matched: string
  /** The slugs of the closest types. */
  readonly instead: readonly string[]
}

/** Each pattern is a few bounded words, so that no input is slow. */
const otherKinds: readonly { name: string; pattern: RegExp; instead: OtherKind['instead'] }[] = [
  { name: 'used tires', pattern: /\b(?:used|second ?hand|pre ?owned|part worn)\b/, instead: [] },
  { name: 'retreads', pattern: /\b(?:retread(?:s|ed)?|recaps?|remolds?)\b/, instead: ['commercial'] },
  // Powersports manufacturers with models named like cars, such as Ranger or X3.
  {
    name: 'ATV and UTV tires',
    pattern:
      /\b(?:(?:polaris|can ?-?am|arctic ?cat|cf ?moto)(?: [a-z0-9]{2,12})?|kawasaki (?:mule|teryx|brute force)|yamaha (?:grizzly|kodiak|rhino|viking|wolverine|yxz|raptor)|honda (?:rancher|foreman|fourtrax|rincon|recon|pioneer|talon))\b/,
    instead: ['all-terrain'],
  },
  {
    name: 'motorcycle tires',
    pattern:
      /\b(?:motorcycles?|motor ?bikes?|harley(?: ?davidson)?|dirt ?bikes?|scooters?|mopeds?|gold ?wing|motocross|ducati|ktm|kawasaki|yamaha|vespa|triumph (?:bonneville|tiger|scrambler)|slingshot)\b/,
    instead: [],
  },
  {
    name: 'ATV and UTV tires',
    pattern:
      /\b(?:atvs?|utvs?|quad ?bikes?|quads?(?! (?:cab|drive))|side by sides?|sxs|four ?wheelers?|4 ?wheelers?|rzr)\b/,
    instead: ['all-terrain'],
  },
  // 18x8.50-8, 15x6.00-6, 13x5-6: lawn and golf cart sizes have decimals or wheels below 7 inches.
  {
    name: 'lawn, garden and golf cart tires',
    pattern: /(?<![\w/])\d{2}(?:\.5)?x(?:\d{1,2}[.]\d{1,2}-(?:[4-9]|10)|\d{1,2}-[4-6])(?!\w)/,
    instead: ['trailer'],
  },
  // 25x8-12, 25x8.00-12, 25x8-00-12, 26x11R14: inches with wheels up to 14 inches are powersports sizes.
  {
    name: 'ATV and UTV tires',
    pattern: /(?<![\w/])\d{2}x\d{1,2}(?:(?:[.-]\d{1,2})?-(?:[4-9]|1[0-4])|-15|(?:\.00?)?r(?:9|1[0-4]))(?!\w)/,
    instead: ['all-terrain'],
  },
  // Sizes such as 180/55ZR17 or 90/90-21. Motorcycle tire widths end in 0, road tire widths in 5.
  {
    name: 'motorcycle tires',
    pattern: /(?<![\w/])(?:[6-9]|1\d|2[0-4])0\/\d{2,3} ?-? ?(?:b|zr|r)? ?-? ?(?:1\d|2[0-3])(?!\w)/,
    instead: [],
  },
  {
    name: 'farm and construction tires',
    pattern:
      /\b(?:tractors?(?! ?trailer)|farm|implement|agricultural|skid ?steers?|backhoes?|excavators?|wheel loaders?|bobcat|john deere|kubota|case ih|new holland|massey ferguson|caterpillar)\b/,
    instead: ['commercial'],
  },
  {
    name: 'lawn, garden and golf cart tires',
    pattern:
      /\b(?:lawn ?mowers?|mowers?|zero ?turns?|cub cadet|husqvarna|lawn|golf ?carts?|go ?karts?|wheel ?barrows?)\b/,
    instead: ['trailer'],
  },
  { name: 'forklift tires', pattern: /\b(?:fork ?lifts?)\b/, instead: ['commercial'] },
  { name: 'bicycle tires', pattern: /\b(?:bicycles?|mountain bikes?|mtb|e ?bikes?|bikes?)\b/, instead: [] },
  {
    name: 'racing slicks',
    pattern: /\b(?:racing|race|drag) (?:slicks?|radials?)\b/,
    instead: ['summer'],
  },
  // 750-16, 7.50-16, 900-20: old bias sizes.
  {
    name: 'bias-ply tires',
    pattern:
      /(?<![\w/.-])(?:4[58]0|5[0367]0|6[04579]0|7[0357]0|8[02]0|825|9[0]0|1[0-2]00|\d{1,2}\.\d{2})-(?:8|9|1\d|2[0-4])(?:\.5)?(?![\w-])/,
    instead: ['trailer', 'commercial'],
  },
  { name: 'tire chains', pattern: /\b(?:tire|snow) ?chains?\b/, instead: ['winter'] },
  {
    name: 'wheels',
    pattern: /^(?:(?:new|custom|alloy|steel|black|chrome|used|aftermarket) )?(?:rims?|wheels?)$/,
    instead: [],
  },
  { name: 'wiper blades', pattern: /\b(?:wiper ?blades?|wipers?)\b/, instead: [] },
  { name: 'batteries', pattern: /\b(?:car )?batter(?:y|ies)\b/, instead: [] },
  { name: 'oil changes', pattern: /\b(?:oil changes?|lube)\b/, instead: [] },
  { name: 'brake service', pattern: /\bbrakes?(?: pads?| job| repair| service| rotors?)\b|^brakes?$/, instead: [] },
  { name: 'alignments', pattern: /^(?:wheel |front end |tire )?alignments?(?: near me)?$/, instead: [] },
  { name: 'bias-ply tires', pattern: /\bbias[ -]?ply\b/, instead: ['trailer', 'commercial'] },
]

/** Returns the kind named in a text, if any. `matched` is all text about kinds, such as "golf cart" and its size. */
function otherKindOf({ text }: Pick<SearchQuery, 'text'>): OtherKind | null {
  const found = otherKinds.flatMap(({ name, pattern, instead }) => {
    const [match] = pattern.exec(text) ?? []
    return match === undefined ? [] : [{ name, instead, matched: match.replaceAll(/[^a-z0-9]/g, '') }]
  })
  const [first] = found
  return first ? { ...first, matched: found.map(({ matched }) => matched).join(' ') } : null
}

/** A shop's whole name, such as one that begins with a manufacturer of tractors. */
const shopNamed = 0.95

/** The kind of tires asked for, if we do not sell it and the words do not name a size on sale, a vehicle or a shop. */
export function kindNotSold(query: SearchQuery, { sizes: found, models, shops }: Matches): OtherKind | null {
  const kind = otherKindOf(query)
  if (!kind) return null
  const isSold = found.some(({ isWhole, isSold: sold }) => isWhole && sold) && !/^(?:used|retreads)/.test(kind.name)
  const isShop = shops.some(({ score, term }) => score >= shopNamed && !kind.matched.includes(term))
  const isVehicle = models.some(
    ({ score, term }) => score >= wellMet && !kind.matched.includes(term) && /[a-z]/.test(term),
  )
  return isSold || isVehicle || isShop ? null : kind
}

/** Returns the notice that a kind isn't sold, with the closest kinds. */
export function otherKindResults({ name, instead }: OtherKind, { typeNames }: Pick<Matches, 'typeNames'>): Ranked[] {
  return [
    {
      kind: 'other-brand' as const,
      label: `${name.charAt(0).toUpperCase()}${name.slice(1)}: not sold here`,
      detail: 'See what we sell instead',
      place: { kind: 'other-brand' as const, name },
      rank: 1.4,
      terms: [],
    },
    ...namedTypes(instead, typeNames).map(({ slug, name: label }) => ({
      kind: 'type' as const,
      label,
      detail: 'That we sell',
      place: { kind: 'listing' as const, type: slug },
      rank: 0.7,
      terms: [],
    })),
  ]
}
