/** Words for our terms: synonyms, uses and body styles. */

/** Returns the synonyms of a typed word. */
export function otherWords(word: string): readonly string[] {
  return Object.hasOwn(synonyms, word) ? (synonyms[word] ?? []) : []
}

/**
 * Returns the kinds of tires for a use, in any form of its word: "crawling", "crawler". Weaker than a synonym: next to
 * a vehicle such a word is part of its name, or says nothing.
 */
export function kindsForUse(word: string): readonly string[] {
  return kindsByUse.get(word) ?? []
}

/** Whether a term is a word for a use, such as "sport" or "van". */
export function isUse(term: string): boolean {
  return kindsByUse.has(term)
}

/** Whether a word is typed for a term: a synonym or a use of it, or the beginning of one. */
export function isSaidFor(word: string, term: string): boolean {
  return saidFor.get(term)?.some((said) => said.includes(word)) ?? false
}

/** Words for the body of a vehicle, which come after its name and do not say which one it is. */
export const bodyStyles: ReadonlySet<string> = new Set(
  'sedan saloon coupe wagon estate hatchback hatch convertible cabriolet roadster suv crossover minivan van pickup truck car'.split(
    ' ',
  ),
)

const synonyms: Readonly<Record<string, readonly string[]>> = {
  snow: ['winter'],
  snowy: ['winter'],
  ice: ['winter'],
  icy: ['winter'],
  offroad: ['allterrain'],
  mt: ['mudterrain'],
  at: ['allterrain'],
  mudders: ['mudterrain'],
  mud: ['mudterrain'],
  muddy: ['mudterrain'],
  suv: ['crossover'],
  ev: ['evspecific'],
  electric: ['evspecific'],
  donut: ['spare'],
  studded: ['studdablewinter'],
  blizzard: ['winter'],
  chevy: ['chevrolet'],
  vw: ['volkswagen'],
  benz: ['mercedesbenz'],
  mercedes: ['mercedesbenz'],
  beemer: ['bmw'],
  beamer: ['bmw'],
  bimmer: ['bmw'],
  caddy: ['cadillac'],
  subie: ['subaru'],
  stang: ['mustang'],
  rouge: ['rogue'],
  tuscon: ['tucson'],
  vette: ['corvette'],
  taco: ['tacoma'],
  yota: ['toyota'],
  gwagon: ['gclass'],
  gwagen: ['gclass'],
  c63: ['cclass'],
  amgc63: ['cclass'],
  e63: ['eclass'],
  amge63: ['eclass'],
  jk: ['wrangler'],
  jku: ['wrangler'],
  jl: ['wrangler'],
  jlu: ['wrangler'],
  raptor: ['f150'],
  sti: ['wrx'],
  rv: ['trailer'],
  camper: ['trailer'],
  motorhome: ['commercial'],
  semi: ['commercial'],
  '18wheeler': ['commercial'],
  bus: ['commercial'],
  isuzunpr: ['commercial'],
  npr: ['commercial'],
}

/** Uses that are a noun or an adjective; of several kinds the first one is meant most. */
const kindsOfThings: readonly (readonly [words: string, ...kinds: readonly string[]])[] = [
  ['rain rainy wet hydroplaning', 'allseason'],
  ['sedan minivan hybrid family passenger car street everyday daily school rideshare uber lyft taxi', 'allseason'],
  ['city urban town suburban suburb downtown roadtrip longdistance interstate freeway', 'allseason'],
  ['truck pickup lightduty', 'highway'],
  ['sport sporty uhp', 'uhpallseason', 'summer'],
  ['performance', 'maxperformancesummer', 'uhpallseason'],
  ['muscle twisty', 'maxperformancesummer'],
  ['track trackday circuit autocross hpde', 'trackcompetition'],
  ['trail gravel dirt sand sandy beach dune desert backcountry backroad ranch washboard', 'allterrain'],
  ['lifted', 'allterrain', 'mudterrain'],
  ['rock rocky swamp bog', 'mudterrain'],
  ['ski sleet slush freezing subzero', 'winter'],
  [
    'van cargovan delivery deliveryvan work worktruck dually contractor boxtruck bucket dump shuttle fleet',
    'commercial',
  ],
  ['horse boat pontoon utility enclosed livestock cattle gooseneck flatbed jetski airstream', 'trailer'],
  ['toyhauler traveltrailer fifth 5th popup', 'trailer'],
]

/** Uses that are something one does. */
const kindsOfActs: readonly (readonly [words: string, ...kinds: readonly string[]])[] = [
  ['commute', 'allseason'],
  ['tow haul', 'highway'],
  ['race drag drift lap', 'trackcompetition'],
  ['overland offroad', 'allterrain'],
  ['crawl rockcrawl mud wheel', 'mudterrain'],
  ['plow', 'winter'],
]

/** "race" as in racing and racer; "drag" as in dragging. */
function formsOf(verb: string): string[] {
  const stem = verb.endsWith('e')
    ? verb.slice(0, -1)
    : /[^aeiou][aeiou][bdglmnpt]$/.test(verb)
      ? verb + verb.at(-1)
      : verb
  return [verb, `${verb}s`, `${stem}ing`, `${stem}er`, `${stem}ers`]
}

const kindsByUse = new Map<string, readonly string[]>([
  ...kindsOfThings.flatMap(([words, ...kinds]) =>
    words.split(' ').flatMap((word) => [word, `${word}s`].map((each) => [each, kinds] as const)),
  ),
  ...kindsOfActs.flatMap(([words, ...kinds]) =>
    words.split(' ').flatMap((word) => formsOf(word).map((each) => [each, kinds] as const)),
  ),
])

const saidFor = new Map<string, string[]>()
for (const [said, terms] of [...Object.entries(synonyms), ...kindsByUse])
  for (const term of terms) saidFor.set(term, [...(saidFor.get(term) ?? []), said])
