/** Sentences for composing sample reviews. Each is about one attribute at one level, so that text and stars agree. */

export type Attribute = 'dry' | 'wet' | 'winter' | 'comfort' | 'noise' | 'treadwear'
export type Level = 'good' | 'fair' | 'poor'
type Part = { headline: readonly string[]; sentence: readonly string[] }

export const attributes: readonly Attribute[] = ['dry', 'wet', 'winter', 'comfort', 'noise', 'treadwear']

export const parts: Record<Attribute, Record<Level, Part>> = {
  dry: {
    good: {
      headline: [
        'Planted on dry roads',
        'Steers straight and true',
        'Sharp turn-in',
        'Stops short in the dry',
        'Confident on the highway',
      ],
      sentence: [
        'Steering got more direct the moment I left the shop.',
        'It holds a line through the on-ramp without a complaint.',
        'Braking from highway speed feels short and straight.',
        'No wandering in the ruts on my commute anymore.',
        'Lane changes at speed feel settled, even loaded up.',
        'Dry grip is more than I will ever use.',
      ],
    },
    fair: {
      headline: ['Decent on dry roads', 'Average handling', 'Does the job in the dry'],
      sentence: [
        'Dry handling is about what the old set did.',
        'Turn-in is a little slow but predictable.',
        'It needs a moment to take a set in corners.',
        'Fine in the dry, nothing to write home about.',
      ],
    },
    poor: {
      headline: ['Vague steering', 'Not for fast corners', 'Squirms when pushed'],
      sentence: [
        'Steering feels vague around center.',
        'The tread squirms if you ask for a quick lane change.',
        'It squeals earlier than I would like.',
        'Hard braking takes longer than with my last set.',
      ],
    },
  },
  wet: {
    good: {
      headline: [
        'Great in the rain',
        'Wet grip you can trust',
        'No fear of puddles',
        'Rain is no event',
        'Stops well on wet streets',
      ],
      sentence: [
        'Heavy rain on the interstate and it never felt light.',
        'Wet stops are clearly shorter than with the factory set.',
        'Standing water is gone before you notice it.',
        'The stability light stayed off all rainy season.',
        'Painted crosswalks in the rain are no longer a surprise.',
        'Wet on-ramps are calm now.',
      ],
    },
    fair: {
      headline: ['Okay in the rain', 'Fair wet grip', 'Rain is fine if you slow down'],
      sentence: [
        'In steady rain it is fine; in a downpour I slow down.',
        'Wet grip is average for its kind.',
        'Deep puddles tug at the wheel a bit.',
        'It spins a little when pulling away on wet paint.',
      ],
    },
    poor: {
      headline: ['Careful in the rain', 'Slippery when wet', 'Wet braking is weak'],
      sentence: [
        'Pulling out of a wet driveway spins the wheels.',
        'I leave twice the distance when it rains.',
        'It floats on standing water sooner than it should.',
        'Wet corners need respect.',
      ],
    },
  },
  winter: {
    good: {
      headline: [
        'Sure-footed in snow',
        'Climbs my snowy hill',
        'Snow is no problem',
        'Holds on packed snow',
        'Made the ski trip easy',
      ],
      sentence: [
        'Eight inches overnight and I still left on time.',
        'My unplowed street is steep and it just climbs.',
        'On packed snow it brakes straight and early.',
        'Slush on the highway did not move the car.',
        'It pulls away on ice better than I expected.',
        'We drove over the pass in a storm without drama.',
      ],
    },
    fair: {
      headline: ['Fine in light snow', 'Gets by in winter', 'Average in deep snow'],
      sentence: [
        'A couple of inches are fine; more than four and I wish for winter tires.',
        'Fresh snow is okay, ice is not its thing.',
        'It got us home in slush, slowly.',
        'Light snow is all I would ask of it.',
      ],
    },
    poor: {
      headline: ['Not for snow', 'Stays home when it snows', 'Weak on ice'],
      sentence: [
        'It does not like snow at all.',
        'I got stuck on a small icy hill.',
        'In winter I park it.',
        'Braking on packed snow takes forever.',
      ],
    },
  },
  comfort: {
    good: {
      headline: ['Soft ride', 'Smooths out bad roads', 'Comfortable on long trips', 'Rides like new'],
      sentence: [
        'Expansion joints went from bang to thump.',
        'Nine hours in the car and nobody complained.',
        'Potholes are less of a punch.',
        'The ride is softer without feeling loose.',
        'Balanced on the first try; no shake at 75.',
      ],
    },
    fair: {
      headline: ['Firm but fine', 'A bit firm', 'Ride is okay'],
      sentence: [
        'A little firmer than the old set.',
        'You feel the seams in the concrete, but it is fine.',
        'Ride is average; the sidewall is on the stiff side.',
        'It settled down after the first few hundred miles.',
      ],
    },
    poor: {
      headline: ['Harsh ride', 'Stiff sidewalls', 'Feels every crack'],
      sentence: [
        'It finds every crack in the road.',
        'The ride is harsh at the pressure on the door label.',
        'Too stiff for our streets.',
        'Speed bumps are best taken at a crawl.',
      ],
    },
  },
  noise: {
    good: {
      headline: ['So quiet', 'Quiet at highway speed', 'Can hear the radio again', 'Road noise is gone'],
      sentence: [
        'Road noise dropped a lot against the factory set.',
        'I turned the radio down two notches.',
        'At 70 all you hear is wind.',
        'Quiet from the first mile and still quiet.',
        'Even on coarse concrete it only hums a little.',
      ],
    },
    fair: {
      headline: ['Some hum', 'Noise is average', 'Quiet enough'],
      sentence: [
        'A light hum on coarse asphalt, otherwise quiet enough.',
        'Noise is what you expect from this kind of tread.',
        'It got a little louder after the first rotation.',
        'You hear it around 45, then it fades.',
      ],
    },
    poor: {
      headline: ['Loud', 'Drones on the highway', 'Noisy after a few thousand miles'],
      sentence: [
        'It drones on the highway.',
        'Loud from day one and louder with wear.',
        'We talk over it.',
        'The howl above 60 is tiring.',
      ],
    },
  },
  treadwear: {
    good: {
      headline: ['Wearing evenly', 'Lots of tread left', 'Lasts and lasts', 'Barely worn'],
      sentence: [
        'Rotated every 6,000 and wearing evenly across all four.',
        'The gauge says hardly any tread is gone.',
        'At this rate I will get the full warranty out of it.',
        'Edges and center wear alike.',
        'Wear has been slow so far.',
      ],
    },
    fair: {
      headline: ['Normal wear', 'Wear is as expected', 'Will see how long it lasts'],
      sentence: [
        'Wear is normal so far.',
        'It is wearing about as fast as the set before.',
        'The rears went a little quicker until I rotated.',
        'Too early to say much about wear.',
      ],
    },
    poor: {
      headline: ['Wears fast', 'Short life', 'Tread went quickly'],
      sentence: [
        'Half the tread was gone sooner than I hoped.',
        'It wears fast, even with regular rotation.',
        'The shoulders wore first.',
        'I will not get near the miles I wanted.',
      ],
    },
  },
}

/** First sentences of a review, with the placeholders {vehicle} and {miles}. */
export const openings = [
  '{miles} miles on my {vehicle} so far.',
  'Put these on our {vehicle}.',
  'Bought a set of four for the {vehicle}.',
  'Second set on this {vehicle}.',
  'My {vehicle} came with something else; this replaced it.',
  'Daily driver, {vehicle}, {miles} miles.',
  'Installed on the {vehicle} before a road trip.',
  '',
  '',
  '',
]
export const openingsAfterAYear = [
  'Had them on the {vehicle} through a full year.',
  'Four seasons on the {vehicle} now.',
  'One winter and one summer on the {vehicle}.',
]

/** About buying and installation, not about the tire. */
export const asides = [
  'Ordered on Sunday, installed on Wednesday.',
  'The shop had them on in under an hour.',
  'The total at the counter was what the page said.',
  'Dropped the car in the morning, done by lunch.',
  'All four had the same DOT week.',
  'Pressure was set to the door label, good shop.',
  'Booked from my phone in the driveway.',
  'The van came to the office parking lot.',
  'Two arrived a day before the other two, still in time.',
  'They checked the size with me before they started.',
]

export const closings: Record<'again' | 'unsure' | 'never', readonly string[]> = {
  again: [
    'Would buy again.',
    'Next set will be the same.',
    'Recommended.',
    'Good value.',
    'My wife wants them on her car now.',
    'No regrets.',
    '',
  ],
  unsure: [
    'Fair for the price.',
    'Might try something else next time.',
    'You get what you pay for.',
    'Decent, not more.',
    '',
  ],
  never: [
    'Will not buy again.',
    'I will spend a little more next time.',
    'Not for me.',
    'Replacing them before winter.',
    '',
  ],
}

export const names =
  `Aaron Abby Adrian Aisha Alan Alex Alicia Amara Amy Andre Angela Anita Anna Anton Ben Beth Bianca Bill Brandon Brenda Brian Bruce Cal Camila Carla Carlos Carmen Casey Cathy Chen Chloe
  Chris Clara Cole Connor Craig Curtis Dana Daniel Darius Dave Dean Deb Derek Diana Diego Don Donna Doug Dwayne Earl Ed Elena Eli Ellen Emma Eric Erin Eva Evan Farid Fatima Felix Fiona Frank Gabe Gail
  Gary Gina Glenn Grace Greg Gwen Hana Hank Hannah Heather Hector Henry Hugo Ian Imani Ines Iris Isaac Ivan Jack Jada Jake James Janet Jared Jason Jay Jean Jeff Jenna Jeremy Jill Jim Joan Joe Joel Jon
  Jorge Josh Joyce Juan Judy Julia Kai Karen Kate Keith Kelly Ken Kevin Kim Kofi Kurt Kyle Lance Lara Larry Laura Leah Lena Leo Leon Liam Lily Linda Lisa Logan Lori Luis Luke Lynn Mara Marco Marcus Maria
  Mark Marta Mason Matt Maya Megan Mei Mia Mike Mira Mo Monica Nadia Nate Neil Nick Nina Noah Nora Olga Oscar Owen Pam Patrick Paul Pedro Pete Phil Priya Quinn Rachel Raj Ramon Ray Reggie Rita Rob Robin
  Rosa Ross Roy Ruth Ryan Sally Sam Sandra Sara Scott Sean Sergio Shane Shawn Sheila Simon Sofia Stan Stella Steve Sue Tanya Tara Ted Teresa Tess Theo Tim Tina Todd Tom Tony Tracy Troy Val Vera Vic Wade
  Wes Will Yara Yusuf Zach Zoe`.split(/\s+/)
