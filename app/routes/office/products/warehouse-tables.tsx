/** The weekdays and the transit days of a warehouse, as tables with fields. */
import type { FormReply } from '#app/forms/form.ts'
import { CellInput, CellSelect } from '#app/office/form-fields.tsx'
import { FormInputs } from '#app/office/form.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import {
  carrierNames,
  dayCutoffFields,
  shipDayFields,
  transitMiles,
  transitZones,
  zoneFields,
  type CarrierName,
  type TransitDays,
  type TransitZone,
} from '#domain/supply/delivery/delivery.ts'
import { countOf } from '#platform/count-text.ts'
import { hoursFields, weekValues, type DayHours } from '#platform/week-hours.ts'

/** Returns a weekday's fields with their labels. */
function dayFields({ weekday, day, opens, closes }: (typeof hoursFields)[number]) {
  return {
    ships: { name: shipDayFields.get(weekday) ?? '', label: `${day} ships` },
    cutoff: { name: dayCutoffFields.get(weekday) ?? '', label: `${day} ships until` },
    opens: { name: opens, label: `${day} pickup from` },
    closes: { name: closes, label: `${day} pickup until` },
  }
}

/** A zone's name, a note about it, and where it is in a sentence. */
const zoneTexts: Readonly<Record<TransitZone, { name: string; note: string; where: string }>> = {
  near: {
    name: `Up to ${countOf(transitMiles.near, 'mile')}`,
    note: '48 states and DC',
    where: `within ${countOf(transitMiles.near, 'mile')}`,
  },
  mid: {
    name: `Up to ${countOf(transitMiles.mid, 'mile')}`,
    note: '48 states and DC',
    where: `within ${countOf(transitMiles.mid, 'mile')}`,
  },
  far: { name: 'Farther', note: '48 states and DC', where: `beyond ${countOf(transitMiles.mid, 'mile')}` },
  AK: { name: 'Alaska', note: 'By sea or air', where: 'to Alaska' },
  HI: { name: 'Hawaii', note: 'By sea or air', where: 'to Hawaii' },
  TERRITORY: { name: 'Territories', note: 'PR, VI, GU, AS, MP', where: 'to the territories' },
}

/** Returns a zone's fields with their labels. */
function fieldsOf(zone: TransitZone) {
  const { ships, days, carrier } = zoneFields[zone]
  const { where } = zoneTexts[zone]
  return {
    ships: { name: ships, label: `Ships ${where}` },
    days: { name: days, label: `Transit days ${where}` },
    carrier: { name: carrier, label: `Carrier ${where}` },
  }
}

/** Field labels by name, for the error summary. */
export const tableLabels: Readonly<Record<string, string>> = Object.fromEntries([
  ...hoursFields.flatMap((day) =>
    Object.values(dayFields(day)).map(({ name, label }): [string, string] => [name, label]),
  ),
  ...transitZones.flatMap((zone) =>
    Object.values(fieldsOf(zone)).map(({ name, label }): [string, string] => [name, label]),
  ),
])

type CellField = { name: string; label: string; reply: FormReply | undefined }

/** A switch in a table cell. `off` is its value when it is off, if it sends one. */
function SwitchCell({ name, label, isOn, off, reply }: CellField & { isOn: boolean; off?: string }) {
  const values = off === undefined ? {} : { on: 'on', off }
  return <FormInputs fields={{ [name]: { label, kind: 'switch', isOn, isBare: true, ...values } }} reply={reply} />
}

const carrierOptions = [['', 'First that takes it'], ...carrierNames.map((name) => [name, name] as const)] as const

/** The first choice in a zone. */
function CarrierCell({ name, label, value, reply }: CellField & { value: CarrierName | null }) {
  return <CellSelect name={name} label={label} value={value ?? ''} options={carrierOptions} reply={reply} />
}

/** When it ships and is open for pickup on each weekday; `hours` is null without pickup. */
export function DaysTable({
  shipDays,
  dayCutoffs,
  hours,
  reply,
}: {
  shipDays: readonly number[]
  dayCutoffs: readonly (string | null)[]
  hours: readonly DayHours[] | null
  reply: FormReply | undefined
}) {
  const values = weekValues(hours ?? [])
  return (
    <div className="day-table">
      <DataTable
        caption="Ship days and pickup hours by weekday"
        columns={[
          { key: 'day', label: 'Day', isRowHeader: true },
          { key: 'ships', label: 'Ships' },
          { key: 'cutoff', label: 'Ships until' },
          ...(hours
            ? [
                { key: 'opens', label: 'Pickup from' },
                { key: 'closes', label: 'Until' },
              ]
            : []),
        ]}
        rows={hoursFields.map((day) => {
          const { ships, cutoff, opens, closes } = dayFields(day)
          const time = ({ name, label }: typeof cutoff, value: string | null | undefined) => (
            <CellInput name={name} field={{ label, kind: 'time', value }} reply={reply} />
          )
          const isOn = shipDays.includes(day.weekday)
          return {
            id: day.day,
            cells: {
              day: day.day,
              ships: <SwitchCell {...ships} isOn={isOn} reply={reply} />,
              cutoff: (
                <>
                  {time(cutoff, dayCutoffs[day.weekday - 1])}
                  <span className="day-off muted">Does not ship</span>
                </>
              ),
              opens: time(opens, values[opens.name]),
              closes: time(closes, values[closes.name]),
            },
          }
        })}
      />
      <p className="field-hint">
        A ship day without a time has the cut-off above. Federal holidays are never ship days. With all days off, it
        ships Monday to Friday.
        {hours ? ' Without pickup hours on a day, customers can’t pick up tires on it.' : null}
      </p>
    </div>
  )
}

/** Business days in transit and carriers, by distance and region. A zone that is off needs no days. */
export function ZonesTable({
  transit,
  unserved,
  carriers,
  reply,
}: {
  transit: TransitDays
  unserved: readonly TransitZone[]
  /** Null for a supplier, which chooses them. */
  carriers: readonly (CarrierName | null)[] | null
  reply: FormReply | undefined
}) {
  return (
    <div className="zone-table">
      <DataTable
        caption="Transit days by zone"
        columns={[
          { key: 'zone', label: 'Zone', isRowHeader: true },
          { key: 'days', label: 'Transit days' },
          ...(carriers ? [{ key: 'carrier', label: 'Carrier' }] : []),
          { key: 'ships', label: 'Ships' },
        ]}
        rows={transitZones.map((zone) => {
          const { ships, days, carrier } = fieldsOf(zone)
          const { name, note } = zoneTexts[zone]
          const isOn = !unserved.includes(zone)
          return {
            id: zone,
            cells: {
              zone: (
                <>
                  {name}
                  <small>{note}</small>
                </>
              ),
              days: (
                <CellInput
                  name={days.name}
                  field={{ label: days.label, kind: 'number', max: 2, value: isOn ? String(transit[zone]) : '' }}
                  reply={reply}
                />
              ),
              carrier: carriers ? (
                <CarrierCell {...carrier} value={carriers[transitZones.indexOf(zone)] ?? null} reply={reply} />
              ) : null,
              ships: <SwitchCell {...ships} isOn={isOn} off="off" reply={reply} />,
            },
          }
        })}
      />
    </div>
  )
}
