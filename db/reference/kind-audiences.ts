import type { CategorySlug } from './categories.ts'

/** Who each type is for, and who should choose another. */
export const typeAudiences: Readonly<Record<string, string>> = {
  'all-season':
    'For cars and crossovers where snow is rare and soon cleared. If you drive on packed snow most weeks of the winter, look at all-weather or winter.',
  'all-weather':
    'For drivers with a real winter and no room for a second set. On ice a winter tire still stops sooner; in July an all-season one wears longer.',
  summer:
    'For drivers who enjoy the road and change tires in fall. Not for anyone who parks outdoors through a winter.',
  winter:
    'For anyone who has to get through on snow and ice. Too soft for summer, when they wear quickly and need longer to stop on hot pavement.',
  highway:
    'For pickups and SUVs that commute, carry families and tow on weekends. Choose all-terrain if part of your way is unpaved.',
  'all-terrain':
    'For trucks that leave the pavement often enough to need it. Expect a little more noise and fuel than with a highway tire.',
  'mud-terrain': 'For trails, mud and rock. As an everyday tire it is loud, and long on wet pavement.',
  commercial: 'For businesses that count the cost of a mile. Match the load range on the door label, never less.',
  trailer: 'For boat, utility, horse and travel trailers. Go by the size and load range on the trailer’s own label.',
  spare:
    'For the trunk of a car that came with one, in the size its label lists. It is no fifth tire for the rotation.',
}

/** The same for categories. */
export const categoryAudiences: Readonly<Record<CategorySlug, string>> = {
  'touring-all-season':
    'For most sedans, minivans and small cars. Choose them if you want quiet, many miles and no surprises.',
  'grand-touring-all-season': 'For cars that need an H, V or W rating, and drivers who feel the difference in a curve.',
  'uhp-all-season': 'For sports sedans on one set all year. It gives up some miles and some comfort for its grip.',
  'crossover-suv-touring':
    'For crossovers and SUVs that stay on pavement. Check the load index, because many need more than a car of the same size.',
  'ev-specific':
    'For electric cars and hybrids, where weight and torque wear ordinary tires quickly. You can also use them on other cars.',
  'all-weather': 'For snow-belt drivers who do not want to change tires twice a year.',
  'max-performance-summer': 'For sports cars and fast sedans in the warm months, with a winter set in the garage.',
  'extreme-performance-summer':
    'For autocross and back roads on a dry day. Few miles, much noise, and care needed in standing water.',
  'track-competition': 'For track days in a car that is driven there and back. Not for rain, cold or commuting.',
  'studless-winter': 'For ice and packed snow in cities and suburbs. Legal in every state because they have no studs.',
  'studdable-winter':
    'For unplowed rural roads and glare ice. Studs are forbidden or limited to some months in many states; check yours first.',
  'performance-winter': 'For cars with big brakes and low sidewalls, on cold roads that are mostly plowed.',
  'highway-all-season':
    'For pickups, vans and large SUVs on pavement. With a trailer, look at load range before price.',
  'all-terrain': 'For drivers who use gravel and forest roads every month and the highway every day.',
  'rugged-terrain': 'For those who find all-terrain too mild and mud-terrain too loud.',
  'mud-terrain': 'For off-road driving first. Check the size, because taller ones need room in the wheel well.',
  'commercial-light-truck': 'For delivery vans and work trucks with a load on every trip.',
  'commercial-truck': 'For medium and heavy trucks. Tell us axle and use, and we confirm the tire by phone.',
  'trailer-st': 'For all trailer tires together, because an old tire next to three new ones fails first.',
  'temporary-spare': 'For replacing a spare that is past its age. Six years is old for one, used or not.',
}
