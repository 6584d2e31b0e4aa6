import { z } from 'zod'
import { date, ifReadable, oneOf, optional, required, text, whole } from './cells.ts'
import { disagree, makeFeed, type Feed } from './feed.ts'
import { loadIndex, name, size, speed } from './tire-cells.ts'

const cells = z.object({
  year: required(whole(1950, 2100)),
  make: required(name),
  model: required(name),
  trim: required(name),
  class: optional(oneOf(['car', 'suv', 'truck', 'van', 'trailer', 'commercial']), null),
  drive: optional(oneOf(['fwd', 'rwd', 'awd', '4wd', 'na']), null),
  front_size: required(size),
  front_load_index: optional(loadIndex, null),
  front_speed: optional(speed, null),
  rear_size: optional(size, null),
  rear_load_index: optional(loadIndex, null),
  rear_speed: optional(speed, null),
  source: optional(oneOf(['catalog', 'weak']), 'weak'),
  list: optional(name, null),
  license: optional(text(200), null),
  listed_on: optional(date, null),
})

/** Tire requirements of vehicles, per axle. If all rear cells are empty, the rear equals the front. */
export const fitmentFeed: Feed = makeFeed({
  table: 'import_fitment',
  columns: Object.keys(cells.shape),
  required: ['year', 'make', 'model', 'trim', 'front_size'],
  staged: [
    'year',
    'make',
    'model',
    'trim',
    'make_slug',
    'model_slug',
    'trim_slug',
    'vclass',
    'drive',
    'front_size',
    'front_load_index',
    'front_speed',
    'rear_size',
    'rear_load_index',
    'rear_speed',
    'source',
    'list',
    'list_slug',
    'license',
    'listed_on',
  ],
  row: cells
    .superRefine((cells, context) => {
      for (const column of ['license', 'listed_on'] as const) {
        if ((cells[column] === null) !== (cells.list === null))
          disagree(
            context,
            column,
            cells.list === null ? 'has no list' : 'is empty and the row has a list',
            'a list with its license and date, or none of them',
          )
      }
      if (cells.list?.slug === 'open') disagree(context, 'list', 'is the name of the open list', 'another name')
      // Without a rear size, it would be a guess that a rear load or speed belongs to the front's.
      if (cells.rear_size === null && (cells.rear_load_index !== null || cells.rear_speed !== null)) {
        disagree(context, 'rear_size', 'is empty, but the rear axle has a load index or speed', size.expected)
      }
    })
    .transform((cells) => {
      const rear = cells.rear_size === null ? 'front' : 'rear'
      return {
        ...vehicleOf(cells),
        vclass: cells.class,
        drive: cells.drive,
        front_size: cells.front_size.designation,
        front_load_index: cells.front_load_index,
        front_speed: cells.front_speed,
        rear_size: (cells.rear_size ?? cells.front_size).designation,
        rear_load_index: cells[`${rear}_load_index`],
        rear_speed: cells[`${rear}_speed`],
        source: cells.source,
        list: cells.list?.name ?? null,
        list_slug: cells.list?.slug ?? null,
        license: cells.license,
        listed_on: cells.listed_on,
      }
    }),
  // A vehicle's class may stand in a row that is refused for another reason.
  key: cells
    .pick({ year: true, make: true, model: true, trim: true })
    .extend({ class: ifReadable(cells.shape.class) })
    .transform((cells) => ({ ...vehicleOf(cells), vclass: cells.class })),
})

type Name = { name: string; slug: string }

function vehicleOf({ year, make, model, trim }: { year: number; make: Name; model: Name; trim: Name }) {
  return {
    year,
    make: make.name,
    model: model.name,
    trim: trim.name,
    make_slug: make.slug,
    model_slug: model.slug,
    trim_slug: trim.slug,
  }
}
