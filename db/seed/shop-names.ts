/** Fictional shop names, streets and phone numbers. `shops.test.ts` checks that no name resembles a real chain's. */
import type { Random } from './random.ts'

const firsts =
  words(`Amber Anvil Ash Badger Barn Basin Beacon Birch Bison Blue Bluff Bobcat Brick Bridge Brook Canal Canyon Cedar Chestnut Clover Cobalt Copper Corner Cotton
  Crane Creek Crescent Depot Dogwood Dune Elk Ember Falcon Fern Field Flint Ford Foundry Garnet Granite Gravel Grove Hawk Hazel Heron Hickory High Hollow Iron Ivy Jade Juniper Kite
  Lantern Laurel Ledge Lime Long Lower Lumber Maple Marble Marsh Meadow Mesa Mill Mint Moss Oak Ochre Old Olive Orchard Osprey Otter Owl Pearl Pebble Pepper Pine Plum Pond
  Poplar Quail Quarry Rail Raven Red Reed Ridge River Robin Rose Rust Sage Salt Sand Sawmill Second Shale Silver Slate Spruce Starling Stone Summer Sunset Swift Sycamore Tamarack
  Third Thistle Timber Tin Twin Upper Valley Vine Walnut Wheat Willow Winter Wolf Wren Yellow`)
const seconds =
  words(`Acre Arrow Axle Barn Bay Bear Bend Bolt Branch Cart Corner Creek Crossing Dale Falls Feather Fence Field Fork Gap Garage Gate Gear Glen Grove Gulch Hammer
  Harbor Hill Hollow House Hub Junction Kettle Lane Lantern Ledge Mill Oak Park Pass Path Pine Pocket Point Pond Post Prairie Ridge Road Roof Run Shed Silo Spring Spur Station
  Stone Street Track Trail Tree Turn Vale View Wagon Wheel Yard`)
const trades = [
  'Tire',
  'Tire',
  'Tire',
  'Tire & Auto',
  'Tire & Brake',
  'Tire & Wheel',
  'Wheel & Axle',
  'Tire & Alignment',
  'Tire Works',
  'Tire Shop',
  'Auto & Tire',
]
const vanTrades = ['Mobile Tire', 'Tire on Wheels', 'Driveway Tire', 'Roaming Tire']
const streets =
  words(`Ash Birch Cedar Cherry Chestnut Church Commerce Depot Elm Industrial Jefferson Lake Lincoln Locust Madison Main Maple Market Mill Monroe Oak Park Pine Railroad Ridge
  River School Spring Spruce State Union Walnut Washington Water`)
const streetKinds = ['St', 'St', 'St', 'Ave', 'Ave', 'Rd', 'Rd', 'Blvd', 'Dr']
const sides = ['', '', '', 'N ', 'S ', 'E ', 'W ']

export function shopName(random: Random): string {
  return `${place(random)} ${random.pick(trades)}`
}

export function vanName(random: Random): string {
  return `${place(random)} ${random.pick(vanTrades)}`
}

export function streetAddress(random: Random): string {
  return `${random.between(101, 8990)} ${random.pick(sides)}${random.pick(streets)} ${random.pick(streetKinds)}`
}

/** 555-0100 to 555-0199 are reserved for fictional use in every area code. */
export function fictionalPhone(state: string, random: Random): string {
  return `${random.pick(areaCodes[state] ?? [800])}-555-01${String(random.between(0, 99)).padStart(2, '0')}`
}

function place(random: Random): string {
  const first = random.pick(firsts)
  const second = random.pick(seconds.filter((word) => word !== first))
  return `${first} ${second}`
}

function words(text: string): string[] {
  return text.split(/\s+/)
}

/** Some of each state's area codes. */
const areaCodes: Record<string, number[]> = {
  AL: [205, 251, 256, 334],
  AK: [907],
  AZ: [480, 520, 602, 623, 928],
  AR: [479, 501, 870],
  CA: [209, 213, 310, 408, 415, 510, 559, 619, 626, 707, 714, 805, 818, 909, 916, 949],
  CO: [303, 719, 970],
  CT: [203, 860],
  DC: [202],
  DE: [302],
  FL: [239, 305, 321, 352, 407, 561, 727, 813, 850, 904, 954],
  GA: [229, 404, 478, 706, 770, 912],
  HI: [808],
  IA: [319, 515, 563, 641, 712],
  ID: [208],
  IL: [217, 309, 312, 618, 630, 708, 773, 815, 847],
  IN: [219, 260, 317, 574, 765, 812],
  KS: [316, 620, 785, 913],
  KY: [270, 502, 606, 859],
  LA: [225, 318, 337, 504, 985],
  MA: [413, 508, 617, 781, 978],
  MD: [301, 410],
  ME: [207],
  MI: [231, 248, 269, 313, 517, 586, 616, 734, 810, 906, 989],
  MN: [218, 320, 507, 612, 651, 763],
  MO: [314, 417, 573, 636, 660, 816],
  MS: [228, 601, 662],
  MT: [406],
  NC: [252, 336, 704, 828, 910, 919],
  ND: [701],
  NE: [308, 402],
  NH: [603],
  NJ: [201, 609, 732, 856, 908, 973],
  NM: [505, 575],
  NV: [702, 775],
  NY: [212, 315, 516, 518, 585, 607, 631, 716, 718, 845, 914],
  OH: [216, 330, 419, 440, 513, 614, 740, 937],
  OK: [405, 580, 918],
  OR: [503, 541],
  PA: [215, 412, 570, 610, 717, 724, 814],
  RI: [401],
  SC: [803, 843, 864],
  SD: [605],
  TN: [423, 615, 731, 865, 901, 931],
  TX: [210, 214, 254, 281, 325, 361, 409, 432, 512, 713, 806, 817, 830, 903, 915, 940, 956, 972],
  UT: [435, 801],
  VA: [276, 434, 540, 571, 703, 757, 804],
  VT: [802],
  WA: [206, 253, 360, 425, 509],
  WI: [262, 414, 608, 715, 920],
  WV: [304],
  WY: [307],
  PR: [787],
}
