/** Synonyms, uses and body styles for our terms. */

/** Returns the synonyms of a typed word, in the singular or the plural. */
export function otherWords(word: string): readonly string[] {
  return synonyms.get(word) ?? (word.endsWith('s') ? synonyms.get(word.slice(0, -1)) : undefined) ?? []
}

/**
 * Returns the tire kinds for a use, in any form of its word, such as "crawling" or "crawler". Weaker than a synonym,
 * because next to a vehicle such a word is part of its name or has no meaning.
 */
export function kindsForUse(word: string): readonly string[] {
  return kindsByUse.get(word) ?? []
}

/** Whether a term is a word for a use, such as "sport" or "van". */
export function isUse(term: string): boolean {
  return kindsByUse.has(term)
}

/** Returns whether a word matches a term, as a synonym, a use, or a prefix of either. */
export function isSaidFor(word: string, term: string): boolean {
  return saidFor.get(term)?.some((said) => said.includes(word)) ?? false
}

/** Words for the body, cab, bed, engine or age of a vehicle, which come next to its name and do not say which one it is. */
export const vehicleDescriptions: ReadonlySet<string> = new Set(
  [
    'sedan saloon coupe wagon estate hatchback hatch convertible cabriolet roadster suv crossover minivan van pickup truck car',
    'cab cabin crew double quad mega king extended ext regular single access supercab supercrew crewmax crewcab quadcab bed box short long shortbed longbed',
    'door doors 2door 4door 2dr 3dr 4dr 5dr row seater passenger cargo',
    'engine diesel gas gasoline petrol turbo turbocharged hybrid plugin phev v6 v8 i4 cylinder cyl manual automatic',
    'cummins duramax powerstroke ecoboost hemi vortec ecodiesel skyactiv tdi vtec edition package model',
  ].flatMap((words) => words.split(' ')),
)

/** Well-known tires by brand slug without hyphens, excluding names that are also vehicles. */
const tiresOfBrands: readonly (readonly [brand: string, tires: string])[] = [
  ['bridgestone', 'blizzak dueler ecopia potenza turanza alenza weatherpeak dtrack'],
  ['michelin', 'crossclimate xice primacy pilotsport pilotalpin agilis'],
  ['bfgoodrich', 'ko2 ko3 kdw gforce advantagecontrol mudterrainta allterrainta'],
  ['goodyear', 'duratrac ultragrip eaglef1 wranglerduratrac assurance weatherready maxlife'],
  ['nitto', 'grappler ridgegrappler terragrappler trailgrappler nt555 nt05 nomad'],
  ['yokohama', 'geolandar advan iceguard avid'],
  ['toyo', 'opencountry proxes celsius extensa'],
  ['pirelli', 'scorpion cinturato pzero sottozero'],
  ['cooper', 'discoverer zeon cs5 evolutiontour'],
  ['nokiantyres', 'hakkapeliitta hakka outpost'],
  ['falken', 'wildpeak ziex azenis sincera eurowinter'],
  ['general', 'grabber altimax'],
  ['hankook', 'dynapro kinergy ventus icept optimo'],
  [
    'continental',
    'extremecontact truecontact terraincontact purecontact vikingcontact wintercontact procontact controlcontact dws06',
  ],
  ['firestone', 'winterforce firehawk transforce weathergrip'],
  ['mickeythompson', 'bajaboss'],
  ['kumho', 'crugen solus ecsta wintercraft'],
  ['nexen', 'roadian winguard'],
]

const synonyms: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries<readonly string[]>({
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
    '3pmsf': ['allweather'],
    '3pms': ['allweather'],
    threepeak: ['allweather'],
    '3peak': ['allweather'],
    mountainsnowflake: ['allweather'],
    allyear: ['allseason', 'allweather'],
    yearround: ['allseason', 'allweather'],
    fourseason: ['allseason'],
    '4season': ['allseason'],
    ...Object.fromEntries(
      tiresOfBrands.flatMap(([brand, tires]) => tires.split(' ').map((tire) => [tire, [brand]] as const)),
    ),
  }),
)

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
for (const [said, terms] of [...synonyms, ...kindsByUse])
  for (const term of terms) saidFor.set(term, [...(saidFor.get(term) ?? []), said])
