/** Names that the fictional ones must not resemble. All are other companies' trademarks, listed for this check only. */

/** Tire brands sold in North America, current or former. */
export const realTireBrands = `
  AMP, Accelera, Achilles, Advanta, Aeolus, American Tourer, Antares, Apollo, Aptany, Ardent, Arisun, Arizonian, Arroyo, Atlander, Atlas, Atturo,
  Aurora, Avon, BFGoodrich, Barum, Bearway, Big O, Black Lion, Blackhawk, Blizzak, Boto, Bridgestone, Bridgeway, Cachland, Camso, Carlisle, Cavalry,
  Centara, Comforser, Compasal, Concord, Continental, Cooper, Cordovan, Cosmo, Crossmax, Crosswind, Dayton, Dean, Debica, Deestone, Definity, Delinte,
  Dick Cepek, Doral, Double Coin, Dunlop, Duraturn, Duro, Dynamo, Ecopia, Eldorado, Epic, Evoluxx, Falken, Federal, Firenza, Firestone, Forceum,
  Fortune, Fullrun, Fullway, Fury, Fuzion, GT Radial, Galaxy, General, Geostar, Gislaved, Giti, Gladiator, Goform, Goodride, Goodyear, Gremax,
  Grenlander, Groundspeed, Habilead, Haida, Hankook, Hercules, Hifly, Imperial, Interco, Invovic, Ironman, Jetzon, Joyroad, Kanati, Kapsen, Kelly,
  Kenda, Kinforest, Kleber, Kormoran, Kumho, Landgolden, Landsail, Landspider, Lanvigator, Laramie, Laufenn, Leao, Lexani, Linglong, Lionhart, Marshal,
  Mastercraft, Matador, Maxtrek, Maxxis, Mazzini, Michelin, Mickey Thompson, Milestar, Minerva, Mirage, Mohawk, Momo, Monarch, Multi-Mile, Nama,
  Nankang, National, Nereus, Nexen, Nitto, Nokian, Nokian Tyres, Nordman, Ohtsu, Onyx, Ovation, Pantera, Pathfinder, Patriot, Peerless, Petlas,
  Phantom, Pirelli, Power King, Primewell, Prinx, Pro Comp, Provider, RBP, Radar, Rapid, Remington, Republic, Riken, RoadX, Roadclaw, Roadmaster,
  Roadone, Roadstone, Rovelo, Runway, Rydanz, Saffiro, Sailun, Sceptor, Semperit, Sentury, Sigma, Starfire, Starmaxx, Sumic, Sumitomo, Summit, Sunfull,
  Sunny, Suretrac, Telstar, Tempra, Thunderer, Tigar, Titan, Toledo, Tosso, Toyo, Tracmax, Travelstar, Trazano, Tri-Ace, Triangle, Uniroyal,
  Vanderbilt, Vee Rubber, Velozza, Venom Power, Vercelli, Versatyre, Viking, Vitour, Vogue, Vredestein, Wanli, Waterfall, Westlake, Wild Country,
  Winrun, Yokohama, Yusta, Zeetex, Zenna, Zeta
`
  .trim()
  .split(/,\s+/)

/** Chains of tire and repair shops. */
export const realShopChains = `
  Action Gator Tire, Allen Tire, America's Tire, American Tire Depot, Auto Value, BJ's Tire Center, Bauer Built, Belle Tire, Best-One Tire,
  Big Brand Tire, Big O Tires, Black's Tire, Blue Ridge Tire, Bob Sumerel Tire, Brakes Plus, Bruneel Tire, Burggraf Tire, Burt Brothers,
  Caliber Auto Care, Canyon Tire, Chabill's Tire, Chapel Hill Tire, Christian Brothers Automotive, City Tire, Clark Tire, Commercial Tire,
  Conrad's Tire, Costco Tire Center, Craven Tire, Cross-Midwest Tire, Delta Tire, Direct Tire, Discount Tire, Dobbs Tire, Duke's Tire, Dunn Tire,
  East Bay Tire, Evans Tire, Express Oil Change, Express Tire, Firestone Complete Auto Care, Forest Tire, Fountain Tire, Gateway Tire, Gerald's Tires,
  Gills Point S, Goodyear Auto Service, Grease Monkey, Griffin Tire, Hibdon Tires Plus, Hogan Tire, Jack Williams Tire, Jiffy Lube, Just Tires,
  Kal Tire, Kan Rock Tire, Ken Towery's, Kost Tire, Lamb's Tire, Leete Tire, Les Schwab, Martino Tire, Matthews Tire, Mavis Discount Tire,
  McCarthy Tire, McGee Tire, Meineke, Merchant's Tire, Merlin Complete, Midas, Monro Auto, Morgan Tire, Mountain View Tire, Mr. Tire, NTB,
  National Tire and Battery, Nokian, North Gateway Tire, Northwest Tire, Olin Mott, Parrish Tire, Peerless Tyre, Pep Boys, Plaza Tire, Point S Tire,
  Pomp's Tire, Purcell Tire, RNR Tire Express, Rad Air, Ramona Tire, Robbins Tire, Rocky Mountain Tire, STS Tire, Sam's Club Tire, Savannah Tire,
  Sears Auto, Setco, Snider Tire, Somerset Tire, Southern Tire Mart, Stokes Tire, Stratham Tire, Sullivan Tire, Summit Tire, Super Tire, TCI Tire,
  Telle Tire, Texas Tire, Tire Barn, Tire Centers, Tire Choice, Tire Discounters, Tire Factory, Tire Kingdom, Tire Outlet, Tire Pros, Tire Rack,
  Tire World, Tires Plus, Tires Too, Town Fair Tire, Treadmaxx, Treadquarters, Tuffy, Tyres International, VIP Tires, Valley Tire, Valvoline Instant,
  Virginia Tire, Walmart Auto, Warren Tire, Wheel Works, White's Tire, Wingfoot, Wonderland Tire, Ziegler Tire
`
  .trim()
  .split(/,\s+/)

/**
 * Returns whether shoppers could confuse `name` with `other`, because they differ by a few letters or one contains the
 * other.
 */
export function isConfusable(name: string, other: string): boolean {
  const [a, b] = [plain(name), plain(other)]
  if (a.includes(b) || b.includes(a)) return Math.min(a.length, b.length) >= 4
  return Math.abs(a.length - b.length) < 3 && editDistance(a, b) < 3
}

function plain(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('&', 'and')
    .replace(/[^a-z0-9]/g, '')
}

/** Insertions, deletions or substitutions needed to turn `a` into `b`. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(
        Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)),
      )
    row = next
  }
  return row[b.length] ?? 0
}
