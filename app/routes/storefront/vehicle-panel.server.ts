/** The fitment panel above a listing, and the step that confirms a listed size. */
import type { Visitor } from '#http/visitor.ts'
import { paths } from '#content/paths.ts'
import type { PanelView } from '#app/ui/listing-data.ts'
import {
  factorySizeText,
  wheelFactRows,
  wheelSourceText,
  type AxleRequirement,
  type Requirement,
} from '#domain/catalog/fitment/fitment.ts'
import {
  grouped,
  loadOf,
  parseSizeSlug,
  parseTireSize,
  sizeDesignation,
  speedOf,
  tireGeometry,
} from '#domain/kernel/tire-sizes/tire-sizes.ts'
import {
  decodeChosenVehicle,
  encodeChosenVehicle,
  fitmentText,
  listedTireText,
  sizesNotListed,
  trimText,
  type ChosenVehicle,
  type FitmentOption,
  type KnownModel,
  type SizedVehicle,
  type Vehicle,
} from '#domain/catalog/vehicles/vehicles.ts'
import { findChosenVehicle, type VehicleFound } from '#domain/catalog/vehicles/vehicles.server.ts'
import { countOf } from '#platform/count-text.ts'
import type { Application } from '#application'

/** The browser's saved vehicle with its current data. Null if no vehicle is saved or it no longer exists. */
export type MyVehicle = {
  readonly chosen: ChosenVehicle
  readonly found: VehicleFound
  readonly requirement: Requirement
  readonly model: string
  readonly path: string
}

type SizedFound = Extract<VehicleFound, { kind: 'sized' }>

export async function readMyVehicle(app: Application, visitor: Visitor): Promise<MyVehicle | null> {
  const chosen = visitor.vehicle === undefined ? undefined : decodeChosenVehicle(visitor.vehicle)
  const found = chosen && (await findChosenVehicle(app, chosen))
  if (!chosen || !found?.ok) return null
  return {
    chosen,
    found: found.value,
    requirement: found.value.requirement,
    model: modelOf(found.value),
    path: chosenPath(chosen, found.value),
  }
}

/** What the browser has saved about the same vehicle as `open`, label and confirmation included; undefined for any other. */
export function settledBy(cookie: string | undefined, open: ChosenVehicle): ChosenVehicle | undefined {
  const mine = cookie === undefined ? undefined : decodeChosenVehicle(cookie)
  if (!mine || mine.year !== open.year || mine.makeSlug !== open.makeSlug || mine.modelSlug !== open.modelSlug)
    return undefined
  if (
    mine.vehicleId !== open.vehicleId ||
    (open.fitmentId !== null && mine.fitmentId !== open.fitmentId && mine.label === null)
  )
    return undefined
  return { ...mine, name: open.name }
}

/** "RAV4": what follows "your" on a card. */
export function modelOf(found: VehicleFound): string {
  return vehicleOf(found).model
}

/** The model found, with its first trim if trims are known. */
export function vehicleOf(found: VehicleFound): KnownModel | Vehicle {
  return found.kind === 'known' ? found.model : found.trims[0].vehicle
}

/** The trim if only one is possible; undefined while it is open or unknown. */
export function onlyTrim(found: VehicleFound): SizedVehicle | undefined {
  return found.kind === 'sized' && found.trims.length === 1 ? found.trims[0] : undefined
}

/** The listing of a chosen vehicle. */
export function chosenPath(chosen: ChosenVehicle, found: VehicleFound): string {
  const trim = onlyTrim(found)
  const hasChoice = trim !== undefined && trim.fitments.length > 1
  return paths.vehicle(chosen.makeSlug, chosen.modelSlug, chosen.year, {
    ...(chosen.vehicleId !== null && trim ? { trim: trim.vehicle.trimSlug } : {}),
    ...(chosen.fitmentId !== null && hasChoice ? { fitment: chosen.fitmentId } : {}),
  })
}

/**
 * Returns the request for the saved vehicle's placard, for pages with its tires. Returns null if it's confirmed or
 * several sizes are listed. `back` is the page's URL.
 */
export function confirmationPanel({ found, requirement, chosen }: MyVehicle, back: string): PanelView | null {
  const panel = vehiclePanel({ found, requirement, chosen, back })
  return panel.tone === 'listed' ? panel : null
}

/** The panel of a vehicle's own listing. `chosen` is the page's vehicle; `back` is its address. */
export function vehiclePanel({
  found,
  requirement,
  chosen,
  back,
}: {
  found: VehicleFound
  requirement: Requirement
  chosen: ChosenVehicle
  back: string
}): PanelView {
  const base = {
    ...plainPanel,
    facts: wheelFacts(requirement),
    action: paths.confirmation({ vehicle: encodeChosenVehicle(chosen), back }),
    typed: { isOpen: false },
    links: [changeVehicle(chosen), otherSizes],
  }

  if (chosen.label) {
    const { front, rear } = chosen.label
    return {
      ...base,
      tone: 'yes',
      headline: `Your door label says ${front === rear ? `${front}, front and rear` : `${front} front, ${rear} rear`}`,
      text: requirementText(requirement),
    }
  }
  if (found.kind === 'known')
    return {
      ...base,
      tone: 'unknown',
      headline: sizesNotListed,
      text: 'The label is on the driver’s door frame. Enter its size and we’ll check every tire against it.',
      typed: { isOpen: true },
    }

  const listed = found.trims
    .flatMap(({ fitments }) => fitments)
    .filter(({ id }) => chosen.fitmentId === null || id === chosen.fitmentId)
  const [first] = listed
  const options = [...new Map(listed.map((option) => [fitmentText(option), option])).values()]
  if (!first) return { ...base, tone: 'unknown', headline: sizesNotListed, typed: { isOpen: true } }
  if (options.length > 1) return { ...base, ...sizeQuestion(found, options) }
  return {
    ...base,
    text: labelText(requirement),
    ...listedSize(found.name, sizesOf(first), requirement.source),
    // For several trims with one size, the answer saves the placard itself because it doesn't select a trim.
    confirm:
      requirement.source === 'placard'
        ? null
        : {
            fields: listed.length === 1 ? [['answer', 'yes']] : labelFields(first),
            label: 'My door label matches',
          },
  }
}

/** Requests the placard's size because several original sizes are possible. */
function sizeQuestion(
  found: SizedFound,
  options: readonly FitmentOption[],
): Pick<PanelView, 'tone' | 'headline' | 'text' | 'labels' | 'trims'> {
  const isOpen = found.trims.length > 1
  return {
    tone: 'unknown',
    headline: `The ${found.name} came with ${countOf(options.length, 'tire size')}`,
    text: `Which one is on your door label?${isOpen ? ' Or pick your trim.' : ''} Until you say, we can’t tell which tires fit.`,
    labels: options.map((option) => ({
      detail: isOpen ? trimsWith(found, option) : '',
      label: fitmentText(option),
      fields: labelFields(option),
    })),
    trims: isOpen
      ? found.trims.map(({ vehicle, fitments }) => ({
          label: trimText(vehicle.trim),
          detail: [...new Set(fitments.map(sizesOf))].join(' or '),
          path: paths.vehicle(vehicle.makeSlug, vehicle.modelSlug, vehicle.year, { trim: vehicle.trimSlug }),
        }))
      : [],
  }
}

/** How certain it is that the one original size, `sizes`, is right for the vehicle named `name`. */
function listedSize(name: string, sizes: string, source: Requirement['source']): Pick<PanelView, 'tone' | 'headline'> {
  if (source === 'placard') return { tone: 'yes', headline: `${sizes}: confirmed on your door label` }
  if (source === 'weak')
    return { tone: 'unknown', headline: `Our sources disagree about the ${name}: ${sizes} needs your door label` }
  return { tone: 'listed', headline: `${factorySizeText(name)}: ${sizes}` }
}

/** Returns a size's panel, with its dimensions and its relation to the saved vehicle. */
export function sizePanel({
  slug,
  rear,
  mine,
  back,
}: {
  slug: string
  rear: string | null
  mine: MyVehicle | null
  back: string
}): PanelView {
  const base = { ...plainPanel, action: paths.confirmation({ back }), facts: rear === null ? measures(slug) : [] }
  if (!mine) {
    return {
      ...base,
      headline: 'Does this size fit your vehicle?',
      text: 'Choose it, and every tire is checked for size, load and speed.',
      links: [{ label: 'Check my vehicle', path: paths.find() }, otherSizes],
    }
  }
  const { name } = mine.chosen
  const known = {
    ...base,
    action: paths.confirmation({ vehicle: encodeChosenVehicle(mine.chosen), back }),
    links: [{ label: `Tires for my ${mine.model}`, path: mine.path }],
    canForget: true,
  }
  if (mine.requirement.configurations.length === 0)
    return {
      ...known,
      tone: 'unknown',
      headline: `We don’t know the tire sizes of your ${name} yet`,
      text: 'Its door label does. Enter its size, and we’ll check every tire against it.',
    }
  const isConfirmed = mine.requirement.source === 'placard'
  if (
    mine.requirement.configurations.some(
      (configuration) => isSize(slug, configuration.front) && isSize(rear ?? slug, configuration.rear),
    )
  )
    return {
      ...known,
      ...listedPanel(mine, back),
    }
  return {
    ...known,
    tone: 'no',
    headline: isConfirmed ? `Doesn’t match the door label on your ${name}` : `Not a size listed for your ${name}`,
    text: 'Every tire below is checked against it.',
  }
}

/**
 * Returns the panel for one of the vehicle's sizes. The size is confirmed on the placard, listed, or one of several.
 */
function listedPanel(mine: MyVehicle, back: string): Pick<PanelView, 'tone' | 'headline' | 'text' | 'confirm'> {
  const { chosen, requirement } = mine
  if (requirement.source === 'placard')
    return {
      tone: 'yes',
      headline: `Matches the door label on your ${chosen.name}`,
      text: requirementText(requirement),
      confirm: null,
    }
  const { confirm } = vehiclePanel({ ...mine, back })
  return {
    tone: confirm && requirement.source === 'catalog' ? 'listed' : 'unknown',
    headline: confirm ? factorySizeText(chosen.name) : `One of the sizes listed for your ${chosen.name}`,
    text: confirm ? labelText(requirement) : 'Confirm which one is on your door label to know which tires fit.',
    confirm,
  }
}

const plainPanel: PanelView = {
  tone: 'plain',
  headline: '',
  action: '',
  text: null,
  facts: [],
  confirm: null,
  labels: [],
  trims: [],
  typed: null,
  links: [],
  canForget: false,
}
/** Pressure, torque, and bolts with their source. */
function wheelFacts({ wheels }: Requirement): PanelView['facts'] {
  const rows = wheels ? wheelFactRows(wheels) : []
  return wheels && rows.length > 0 ? [...rows, { term: 'Source', value: wheelSourceText(wheels.sources) }] : []
}

const otherSizes = { label: 'Other sizes', path: paths.sizes() }

function changeVehicle({ year, makeSlug, modelSlug }: ChosenVehicle): PanelView['links'][number] {
  return { label: 'Change vehicle', path: paths.find({ year, make: makeSlug, model: modelSlug }) }
}

/** "225/65R17, front and rear", "245/35R19 front, 305/30R20 rear". */
function sizesOf({ front, rear, isStaggered }: FitmentOption): string {
  return isStaggered ? `${front.size} front, ${rear.size} rear` : `${front.size}, front and rear`
}

function labelFields({ front, rear }: FitmentOption): [name: string, value: string][] {
  return [
    ['answer', 'label'],
    ['front', listedTireText(front)],
    ['rear', listedTireText(rear)],
  ]
}

function trimsWith({ trims }: SizedFound, option: FitmentOption): string {
  return trims
    .filter(({ fitments }) => fitments.some((other) => fitmentText(other) === fitmentText(option)))
    .map(({ vehicle }) => trimText(vehicle.trim))
    .join(', ')
}

/** "We show tires rated 102H or higher: 1,874 lb each, 130 mph. Lower ratings are marked." */
function requirementText({ configurations }: Requirement): string | null {
  const [configuration, ...others] = configurations
  if (!configuration || others.length > 0) return null
  const [front, rear] = [axleText(configuration.front), axleText(configuration.rear)]
  if (front === '' || rear === '') return 'The label gives no load or speed, so we check only the size.'
  return `We look for ${front === rear ? `${front} or higher` : `${front} in front and ${rear} in the rear, or higher`}. Tires rated lower are marked.`
}

/** Returns the same text for a listed size, with the step that confirms it for every tire on the page. */
function labelText(requirement: Requirement): string | null {
  const text = requirementText(requirement)
  return requirement.source === 'catalog'
    ? ['Confirm it once on your door label.', text].filter(Boolean).join(' ')
    : text
}

function axleText({ loadIndex, speed }: AxleRequirement): string {
  const meaning = [
    loadOf(loadIndex) && `${grouped(loadOf(loadIndex)?.lb ?? 0)} lb each`,
    speedOf(speed) && `${speedOf(speed)?.mph} mph`,
  ]
    .filter(Boolean)
    .join(', ')
  const rating = `${loadIndex ?? ''}${speed ?? ''}`
  return meaning === '' ? rating : `${rating} (${meaning})`
}

function isSize(slug: string, { size }: AxleRequirement): boolean {
  const asked = parseSizeSlug(slug)
  return asked !== undefined && size !== undefined && sizeDesignation(asked) === sizeDesignation(size)
}

function measures(slug: string): PanelView['facts'] {
  const size = parseSizeSlug(slug)
  return size ? sizeMeasures(sizeDesignation(size)) : []
}

/** Height, sidewall and width of a size in inches; dimensions the size does not state are omitted. */
export function sizeMeasures(designation: string): { term: string; value: string }[] {
  const size = parseTireSize(designation)
  if (!size) return []
  const { overallDiameterMm, sidewallMm, sectionWidthMm } = tireGeometry(size)
  return [
    ['Height', overallDiameterMm] as const,
    ['Sidewall', sidewallMm] as const,
    ['Width', sectionWidthMm] as const,
  ].flatMap(([term, mm]) => (mm === undefined ? [] : [{ term, value: `${(mm / 25.4).toFixed(1)} in` }]))
}
