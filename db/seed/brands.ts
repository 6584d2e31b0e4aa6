import type { Row } from './insert.ts'
import { slugOf } from './slug.ts'

export type Tier = 'value' | 'mid' | 'premium'
/** Which part of the market a brand serves; `lines.ts` turns it into categories. */
export type Focus = 'full' | 'value' | 'passenger' | 'performance' | 'truck' | 'winter' | 'work' | 'trailer'
/** How a line is told from its sisters: letters (AS, CX), words (Touring, Crossover) or the warranty in thousands of miles. */
export type NameStyle = 'letters' | 'words' | 'numbers'

export type Brand = {
  id: number
  slug: string
  name: string
  tier: Tier
  focus: Focus
  style: NameStyle
  /** First words of its lines: touring, sport, crossover, truck, winter. */
  words: readonly [string, string, string, string, string]
  about: string
  wordmark: { weight: number; stretch: number; spacing: number; case: 'upper' | 'title' | 'lower' }
}

/** Every brand is made up; `brands.test.ts` keeps the names away from those of real tire makers. */
export const brands: readonly Brand[] = [
  brand('Kestrel', 'premium', 'full', 'letters', 'Alltide Windhover Updraft Ridgeway Coldfront', 'Tires for ordinary cars, made with unusual care. Known for quiet and for wet roads.', [800, 125, 0, 'upper']),
  brand('Alder & Stone', 'premium', 'full', 'letters', 'Greyline Vantage Greyline Quarry Hoarfrost', 'Grand touring and performance tires with a long wear promise, built in small series.', [500, 88, 0, 'title']),
  brand('Tarn', 'premium', 'winter', 'letters', 'Stillwater Fellgrip Fellgrip Outcrop Fellgrip', 'Cold roads only: winter and all-weather tires from people who live above the snow line.', [700, 125, 0, 'title']),
  brand('Northpass', 'mid', 'truck', 'letters', 'Saddleback Traverse Meridian Scree Firn', 'Pickups, SUVs and trailers behind them. Highway ribs to mud lugs from one maker.', [900, 75, 0.06, 'upper']),
  brand('Corvane', 'value', 'value', 'letters', 'Passage Sidestep Passage Portage Frostline', 'Plain tires at a plain price in the sizes most cars use.', [300, 112, 0.14, 'upper']),
  brand('Beckett', 'mid', 'full', 'numbers', 'Longhaul Quickstep Overland Workhorse Snowbound', 'Named by how long they last: the number on a Beckett is its warranty in thousands of miles.', [800, 100, 0, 'lower']),
  brand('Halvern', 'premium', 'full', 'words', 'Sondre Brann Vidde Fjellveg Isvind', 'Northern engineering for four seasons; every line is tested on snow, even the summer ones.', [600, 100, 0.02, 'title']),
  brand('Corrigan Vale', 'premium', 'full', 'letters', 'Lanternway Brightwork Hollowell Cragmoor Winterbourne', 'Comfort first. Soft-spoken tires for long drives and full loads.', [400, 112, 0.01, 'title']),
  brand('Brandreth', 'premium', 'full', 'letters', 'Serenade Corsetto Fellside Bulwark Rimeward', 'A wide range for sedans, crossovers and electric cars, with foam against noise where it helps.', [900, 112, -0.01, 'upper']),
  brand('Tessaly', 'premium', 'passenger', 'words', 'Aria Presto Sonata Legato Notturno', 'Quiet above all: each line is tuned against road noise first and everything else second.', [300, 100, 0.08, 'title']),
  brand('Wexcombe', 'premium', 'passenger', 'letters', 'Hallmere Swiftlane Downs Chalkway Winterfold', 'For cars that are kept: even wear, round running, and spare sizes kept in stock for years.', [500, 75, 0.03, 'title']),
  brand('Auberlane', 'premium', 'performance', 'words', 'Corniche Apogee Belvedere Massif Givre', 'Summer and performance tires for drivers who choose the long way home.', [700, 88, 0, 'title']),
  brand('Sable Coast', 'premium', 'performance', 'letters', 'Headland Undertow Breakwater Shoal Icefloe', 'Track-bred rubber for coast roads; short wet stops are its pride.', [800, 75, 0.04, 'upper']),
  brand('Ardmoor', 'premium', 'performance', 'letters', 'Lochside Claymore Strath Heather Snowdrift', 'Made for sedans with too much power and roads with too many corners.', [600, 125, -0.02, 'title']),
  brand('Overfell', 'premium', 'truck', 'words', 'Drover Packhorse Highfold Gritstone Whiteridge', 'Truck tires for people who leave the pavement on purpose and have to get back.', [900, 88, 0.02, 'upper']),
  brand('Lindrask', 'premium', 'winter', 'letters', 'Vennby Raskfors Skogby Stenmark Isgard', 'Winter tires from a small works that makes little else, studded or not.', [400, 125, 0.1, 'upper']),
  brand('Wrenfield', 'mid', 'full', 'letters', 'Hedgerow Dartwing Orchard Furrow Snowberry', 'A full family of tires at a fair price, from small hatchbacks to three-row SUVs.', [700, 100, 0, 'title']),
  brand('Brassfield', 'mid', 'full', 'words', 'Parkway Quickstride Wideacre Ironwood Northlight', 'Sensible tires for sensible cars, with warranties that are easy to read.', [800, 112, 0.02, 'upper']),
  brand('Ferrowick', 'mid', 'full', 'letters', 'Milepost Lodestar Landmark Anvil Icebreak', 'Old name, new compounds: strong in rain and in long wear.', [900, 100, 0, 'title']),
  brand('Harrow & Vale', 'mid', 'full', 'letters', 'Meadowlane Sprint Hillside Plough Frostfair', 'Country roads were the test track: good manners on patched asphalt and gravel.', [500, 100, 0, 'title']),
  brand('Redbarrow', 'mid', 'full', 'numbers', 'Turnpike Redline Township Freestone Winterwell', 'Mileage is the promise, and the number on the sidewall says how much.', [800, 88, 0, 'upper']),
  brand('Umberline', 'mid', 'full', 'words', 'Amberway Ochre Sienna Burnish Frostleaf', 'Balanced all-rounders that do nothing badly.', [400, 88, 0.05, 'lower']),
  brand('Juniper Road', 'mid', 'truck', 'words', 'Mesa Switchback Trailbend Washout Snowpole', 'Desert and mountain tires for pickups, vans and the campers on top of them.', [700, 112, 0, 'title']),
  brand('Pinehollow', 'mid', 'truck', 'letters', 'Timberlane Logjam Understory Sawtooth Deepwood', 'From logging roads: cut-resistant treads and tall shoulders.', [800, 100, 0.03, 'upper']),
  brand('Stonecrop', 'mid', 'truck', 'letters', 'Flagstone Rockrose Hillcrest Bedrock Snowmelt', 'Light-truck tires in the strong load ranges, for towing and payload.', [600, 88, 0, 'lower']),
  brand('Kettleby', 'mid', 'passenger', 'letters', 'Copperway Whistle Hearth Cauldron Steamline', 'Everyday tires for everyday cars, and a loud dislike of road noise.', [500, 125, 0, 'title']),
  brand('Larkmoor', 'mid', 'passenger', 'words', 'Daybreak Skylark Upland Heath Firstsnow', 'Light, easy-rolling tires that save a little fuel on every trip.', [300, 125, 0.04, 'title']),
  brand('Saltmarsh', 'mid', 'passenger', 'letters', 'Tideway Sandpiper Causeway Estuary Rimefall', 'Wet grip for places where it rains sideways.', [700, 75, 0.02, 'upper']),
  brand('Quillane', 'mid', 'performance', 'letters', 'Inkwell Rapier Cavalcade Longbow Frostpoint', 'Performance sizes without performance prices.', [600, 112, -0.02, 'title']),
  brand('Greywether', 'mid', 'winter', 'words', 'Sarsen Coldstone Downland Barrow Northwind', 'Three kinds of winter and one tire for each of them.', [800, 125, 0.05, 'upper']),
  brand('Stavern', 'mid', 'winter', 'letters', 'Havn Skarv Brygge Strandvei Nordlys', 'Harbor-town winter tires: slush, ice and wet asphalt in one day.', [400, 100, 0.12, 'upper']),
  brand('Millbrandt', 'mid', 'work', 'letters', 'Daywork Overtime Foreman Payload Nightshift', 'Delivery vans and work trucks. Retread-ready casings, scuff ribs, honest load ratings.', [900, 75, 0, 'upper']),
  brand('Drayline', 'mid', 'trailer', 'letters', 'Towpath Haulway Carriage Tailgate Hitch', 'Trailer tires and nothing else, every load range in stock.', [700, 100, 0.08, 'upper']),
  brand('Cindergate', 'value', 'value', 'letters', 'Ashlane Ember Foundry Slagway Coldforge', 'Budget tires in popular sizes, shipped fast.', [800, 75, 0, 'lower']),
  brand('Dovetrail', 'value', 'value', 'words', 'Homeward Wingbeat Roost Fieldtrail Winterdove', 'A low price, a real warranty and no fuss.', [500, 112, 0, 'lower']),
  brand('Everlock', 'value', 'value', 'letters', 'Keyway Latchkey Strongbox Padlock Snowlatch', 'Simple tread patterns that have worked for decades.', [900, 125, 0.02, 'upper']),
  brand('Foxhollow', 'value', 'value', 'letters', 'Bramble Vixen Thicket Burrow Whitebrush', 'Small prices for small and middle-sized cars.', [600, 100, -0.01, 'title']),
  brand('Gantrell', 'value', 'value', 'words', 'Boulevard Bravado Concourse Gantry Winterhall', 'Fills the rack with the sizes a shop sells every day.', [700, 125, 0.03, 'upper']),
  brand('Hexwood', 'value', 'value', 'letters', 'Coppice Sparhawk Glade Stump Frostglade', 'Economy tires with the tread depth left in.', [400, 75, 0.06, 'upper']),
  brand('Jasperway', 'value', 'value', 'numbers', 'Milemark Agate Waystone Cobble Coldstream', 'The cheapest mile we sell, by our own arithmetic.', [800, 100, 0.04, 'upper']),
  brand('Nettlefield', 'value', 'value', 'letters', 'Greenlane Stinger Pasture Fencepost Snowgate', 'Straightforward tires for second cars and first cars.', [300, 88, 0.02, 'lower']),
  brand('Rookwell', 'value', 'value', 'words', 'Gambit Castle Midgame Bishop Endgame', 'Thought out a few moves ahead, priced like an opening.', [900, 88, -0.01, 'title']),
  brand('Tallgrass', 'value', 'value', 'letters', 'Prairie Bluestem Homestead Sodbuster Blizzardry', 'Flat roads, long distances, low prices.', [500, 100, 0.1, 'upper']),
  brand('Yarrowgate', 'value', 'value', 'letters', 'Ringroad Yardarm Gatehouse Tollgate Rimegate', 'A modern basic range for modern basic cars.', [600, 75, 0, 'title']),
  brand('Mosswick', 'value', 'passenger', 'letters', 'Softstep Lichen Fernway Peatland Snowmoss', 'Quiet, soft-riding tires that cost less than they sound.', [300, 100, 0.16, 'lower']),
  brand('Vexley', 'value', 'performance', 'letters', 'Nightline Torrent Flyover Kerbside Blackice', 'Wide, low and affordable, in sizes that usually are not.', [900, 125, -0.03, 'title']),
  brand('Lodegard', 'value', 'truck', 'words', 'Cartway Ledge Trackside Boulder Snowguard', 'Truck and SUV basics with honest load ranges.', [700, 88, 0.06, 'upper']),
  brand('Kilnford', 'value', 'work', 'words', 'Brickyard Kiln Courier Loader Dawnfrost', 'Van and truck tires for fleets that count every mile.', [800, 125, 0, 'lower']),
  brand('Oxbarrow', 'value', 'work', 'letters', 'Yoke Teamway Cartload Heavyset Winterox', 'Work tires without decoration.', [900, 100, 0.05, 'upper']),
  brand('Towmere', 'value', 'trailer', 'words', 'Boatramp Jetty Campground Anchorage Gravelpad', 'Inexpensive trailer tires and compact spares.', [500, 88, 0.04, 'title']),
].map((made, index) => ({ ...made, id: index + 1 }))

/** The same as rows of the table. */
export const brandRows: Row<'brand'>[] = brands.map(({ id, slug, name, tier, about, wordmark }) => ({ id, slug, name, tier, about, wordmark }))

function brand(name: string, tier: Tier, focus: Focus, style: NameStyle, words: string, about: string, mark: [number, number, number, 'upper' | 'title' | 'lower']): Omit<Brand, 'id'> {
  const [weight, stretch, spacing, letterCase] = mark
  return { slug: slugOf(name), name, tier, focus, style, words: words.split(' ') as unknown as Brand['words'], about, wordmark: { weight, stretch, spacing, case: letterCase } }
}
