import { expect, test } from 'vitest'
import {
  requirementFor,
  requirementForKnownModel,
  type ChosenVehicle,
  type FitmentOption,
  type SizedVehicle,
} from '#domain/catalog/vehicles/vehicles.ts'
import type { VehicleFound } from '#domain/catalog/vehicles/vehicles.server.ts'
import { chosenPath, sizeMeasures, sizePanel, vehiclePanel } from './vehicle-panel.server.ts'

const tire = (size: string, loadIndex = 102, speed = 'H') => ({ size, loadIndex, speed })
const option = (id: number, front: string, rear = front): FitmentOption => ({
  id,
  front: tire(front),
  rear: tire(rear),
  isStaggered: front !== rear,
  source: 'catalog',
})
const trim = (id: number, name: string, ...fitments: FitmentOption[]): SizedVehicle => ({
  vehicle: {
    id,
    year: 2021,
    make: 'Toyota',
    model: 'RAV4',
    trim: name,
    makeSlug: 'toyota',
    modelSlug: 'rav4',
    trimSlug: name.toLowerCase(),
    vehicleClass: 'suv',
    drive: 'fwd',
  },
  fitments,
})
const xle = trim(1, 'XLE', option(11, '225/65R17'))
const limited = trim(2, 'Limited', option(21, '235/55R19'))
const chosen: ChosenVehicle = {
  vehicleId: 1,
  fitmentId: null,
  year: 2021,
  makeSlug: 'toyota',
  modelSlug: 'rav4',
  name: '2021 Toyota RAV4 XLE',
  confirmed: false,
  label: null,
}

function panelOf(trims: [SizedVehicle, ...SizedVehicle[]], settled: Partial<ChosenVehicle> = {}) {
  const vehicle = { ...chosen, ...settled }
  const found: VehicleFound = {
    kind: 'sized',
    name: trims.length === 1 ? '2021 Toyota RAV4 XLE' : '2021 Toyota RAV4',
    trims,
    otherTrims: [],
  }
  return vehiclePanel({ found, requirement: requirementFor(trims, vehicle), chosen: vehicle, back: '/back' })
}

test('a listed size needs the door label, one step away', () => {
  const panel = panelOf([xle])
  expect(panel).toMatchObject({
    tone: 'listed',
    headline: 'Factory size for your 2021 Toyota RAV4 XLE: 225/65R17, front and rear',
    labels: [],
    trims: [],
  })
  expect(panel.text).toBe(
    'Confirm it once on your door label. We look for 102H (1,874 lb each, 130 mph) or higher. Tires rated lower are marked.',
  )
  expect(Object.fromEntries(panel.confirm?.fields ?? [])).toEqual({ answer: 'yes' })
  expect(panel.action).toBe('/fitment/confirmation?vehicle=1~1~~2021~toyota~rav4~~~~2021_Toyota_RAV4_XLE&back=%2Fback')
})

test('a confirmed size shows as confirmed, without questions', () => {
  const panel = panelOf([xle], { confirmed: true, fitmentId: 11 })
  expect(panel).toMatchObject({
    tone: 'yes',
    headline: '225/65R17, front and rear: confirmed on your door label',
    confirm: null,
  })
})

test('the size the shopper read on the label overrides the listed one', () => {
  const panel = panelOf([xle], { confirmed: true, label: { front: '235/55R19 101V', rear: '235/55R19 101V' } })
  expect(panel).toMatchObject({ tone: 'yes', headline: 'Your door label says 235/55R19 101V, front and rear' })
})

test('an open trim with several sizes requests the placard size or the trim', () => {
  const panel = panelOf([xle, limited], { vehicleId: null })
  expect(panel).toMatchObject({
    tone: 'unknown',
    headline: 'The 2021 Toyota RAV4 came with 2 tire sizes',
    confirm: null,
  })
  expect(panel.labels.map(({ label, detail }) => [label, detail])).toEqual([
    ['225/65R17 102H', 'XLE'],
    ['235/55R19 102H', 'Limited'],
  ])
  expect(Object.fromEntries(panel.labels[1]?.fields ?? [])).toMatchObject({
    answer: 'label',
    front: '235/55R19 102H',
    rear: '235/55R19 102H',
  })
  expect(panel.trims.map(({ path }) => path)).toEqual([
    '/vehicles/toyota/rav4/2021?trim=xle',
    '/vehicles/toyota/rav4/2021?trim=limited',
  ])
})

test('trims that share one size need no choice between them, but the label is confirmed', () => {
  const panel = panelOf([xle, trim(3, 'LE', option(31, '225/65R17'))], { vehicleId: null })
  expect(panel.tone).toBe('listed')
  expect(Object.fromEntries(panel.confirm?.fields ?? [])).toMatchObject({ answer: 'label', front: '225/65R17 102H' })
})

test('front and rear sizes are named separately', () => {
  expect(panelOf([trim(4, 'M', option(41, '225/40R19', '255/35R19'))]).headline).toBe(
    'Factory size for your 2021 Toyota RAV4 XLE: 225/40R19 front, 255/35R19 rear',
  )
})

test('a model without listed sizes leads directly to the placard form', () => {
  const model = {
    year: 2025,
    make: 'Acura',
    model: 'ADX',
    makeSlug: 'acura',
    modelSlug: 'adx',
    vehicleClass: 'suv' as const,
  }
  const panel = vehiclePanel({
    found: { kind: 'known', name: '2025 Acura ADX', model },
    requirement: requirementForKnownModel(model, chosen),
    chosen,
    back: '/',
  })
  expect(panel).toMatchObject({ tone: 'unknown', typed: { isOpen: true }, confirm: null })
})

test('a chosen vehicle has its trim in its address, and its size where the trim has several', () => {
  const found = (trims: [SizedVehicle, ...SizedVehicle[]]): VehicleFound => ({
    kind: 'sized',
    name: '',
    trims,
    otherTrims: [],
  })
  const both = trim(1, 'XLE', option(11, '225/65R17'), option(12, '225/60R18'))
  expect(chosenPath(chosen, found([xle]))).toBe('/vehicles/toyota/rav4/2021?trim=xle')
  expect(chosenPath({ ...chosen, fitmentId: 11 }, found([xle]))).toBe('/vehicles/toyota/rav4/2021?trim=xle')
  expect(chosenPath({ ...chosen, fitmentId: 12 }, found([both]))).toBe('/vehicles/toyota/rav4/2021?trim=xle&fitment=12')
  expect(chosenPath({ ...chosen, vehicleId: null }, found([xle, limited]))).toBe('/vehicles/toyota/rav4/2021')
})

test('a size page relates its size to the saved vehicle', () => {
  const mine = (settled: Partial<ChosenVehicle> = {}) => {
    const vehicle = { ...chosen, ...settled }
    return {
      chosen: vehicle,
      found: { kind: 'sized' as const, name: chosen.name, trims: [xle] as [SizedVehicle], otherTrims: [] },
      requirement: requirementFor([xle], vehicle),
      model: 'RAV4',
      path: '/mine',
    }
  }
  const at = (slug: string, settled?: Partial<ChosenVehicle>) =>
    sizePanel({ slug, rear: null, mine: mine(settled), back: '/' })
  expect(at('225-65r17')).toMatchObject({
    tone: 'listed',
    headline: 'Factory size for your 2021 Toyota RAV4 XLE',
    confirm: { label: 'My door label matches' },
  })
  expect(at('225-65r17', { confirmed: true, fitmentId: 11 }).tone).toBe('yes')
  expect(at('235-55r19')).toMatchObject({ tone: 'no', headline: 'Not a size listed for your 2021 Toyota RAV4 XLE' })
  expect(sizePanel({ slug: '225-65r17', rear: null, mine: null, back: '/' })).toMatchObject({
    tone: 'plain',
    canForget: false,
  })
})

test('the dimensions are those the size states', () => {
  expect(sizeMeasures('225/65R17')).toEqual([
    { term: 'Height', value: '28.5 in' },
    { term: 'Sidewall', value: '5.8 in' },
    { term: 'Width', value: '8.9 in' },
  ])
  expect(sizeMeasures('7.50R16LT').map(({ term }) => term)).toEqual(['Width'])
  expect(sizeMeasures('Kestrel')).toEqual([])
})
