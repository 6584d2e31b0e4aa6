/** A size as printed on the sidewall, part by part, each with its meaning. */
import type { SizeKeyPart } from '#app/ui/size-key.tsx'
import { serviceOf, type Item } from '#domain/catalog/catalog/catalog.ts'
import { describeSpeed, grouped, loadOf } from '#domain/kernel/tire-sizes/tire-sizes.ts'

type Sized = Pick<Item, 'size' | 'loadIndex' | 'dualLoadIndex' | 'speed'>

/** Inch sizes have different parts than metric ones; parts a size does not state are omitted. */
export function sizeKeyOf(item: Sized): SizeKeyPart[] {
  const { designation, sectionWidthMm, rimIn } = item.size
  const metric = /^(?<width>[A-Z]*\d+)\/(?<aspect>\d+)(?<rim>[A-Z][\d.]+[A-Z]*)$/.exec(designation)?.groups
  const inches = /^(?:(?<height>[\d.]+)X)?(?<width>[\d.]+)(?<rim>[A-Z-][\d.]+[A-Z]*)$/.exec(designation)?.groups
  const { width = designation, aspect, height, rim } = metric ?? inches ?? {}
  const service = serviceOf(item)
  return [
    ...(height ? [{ part: 'height' as const, text: height, meaning: 'in tall' }] : []),
    { part: 'width', text: width, meaning: metric ? `mm wide, ${(sectionWidthMm / 25.4).toFixed(1)} in` : 'in wide' },
    ...(aspect ? [{ part: 'sidewall' as const, text: aspect, meaning: 'sidewall, % of width' }] : []),
    ...(rim
      ? [
          {
            part: 'rim' as const,
            text: rim,
            meaning: `${rim.startsWith('R') ? 'radial' : 'not radial'}, ${rimIn} in rim`,
          },
        ]
      : []),
    ...(service ? [{ part: 'service' as const, text: service, meaning: serviceMeaning(item) }] : []),
  ]
}

/** "1,874 lb, 130 mph" */
function serviceMeaning({ loadIndex, speed }: Sized): string {
  const load = loadOf(loadIndex ?? undefined)
  const limit = speed === null ? undefined : describeSpeed(speed)?.split(': ')[1]
  return [load && `${grouped(load.lb)} lb`, limit?.replace(/^up to /, '')].filter(Boolean).join(', ')
}
