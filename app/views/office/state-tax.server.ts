/** What the office shows of a state's taxes and fees. */
import { findStateTax, type StateTaxView } from '#domain/pricing/sales-tax/sales-tax.server.ts'
import { maxTireFeeText, taxableKindNames, taxableKinds, tireFeeText } from '#domain/pricing/sales-tax/sales-tax.ts'
import { dateText } from '#platform/day-text.ts'
import { formatRate } from '#platform/money.ts'
import { storeDay, storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Application } from '#application'

/** Reads a state by its code; undefined for one that we don't ship to. */
export async function readStateTax(app: Pick<Application, 'db' | 'clock'>, state: string) {
  const found = await findStateTax(app, state)
  if (!found) return undefined
  const { view, changes, seen } = found
  const today = storeDay(app.clock.now()).toString()
  const checked = view.isVerified && view.checkedOn ? `Verified ${dateText(view.checkedOn)}` : 'Unverified'
  return {
    name: view.name,
    isVerified: view.isVerified,
    seen,
    fields: {
      rate: {
        label: 'State sales tax, percent',
        value: String(view.ratePpm / 10_000),
        max: 10,
        hint: 'Without county, city and district taxes.',
      },
      tireFee: {
        label: 'Fee per new tire',
        value: tireFeeText(view.tireFee),
        max: maxTireFeeText,
        hint: 'An amount such as 2.50, a percentage such as 1% up to $2.00, or by rim: $1.00 below 24 in; $2.00.',
      },
      tireFeeName: {
        label: 'Fee name on receipts',
        value: view.tireFeeName,
        max: 60,
        isOptional: true,
        placeholder: `${view.name} tire fee`,
      },
      source: { label: 'Source', value: view.source, max: 300, hint: 'A page of your state, or the law.' },
      checkedOn: { label: 'Checked on', kind: 'day' as const, value: view.checkedOn, isOptional: true },
      startsOn: {
        label: 'Starts on',
        kind: 'day' as const,
        isOptional: true,
        hint: 'Leave empty to start now.',
      },
    },
    taxed: taxableKindNames.map((kind) => ({
      kind,
      label: taxableKinds[kind],
      isTicked: view.taxed.includes(kind),
    })),
    facts: [
      ['State sales tax', view.ratePpm === 0 ? 'None' : formatRate(view.ratePpm)],
      ['Fee per new tire', tireFeeText(view.tireFee)],
      ['Fee name on receipts', view.tireFeeName ?? `${view.name} tire fee`],
      ['Taxed', view.taxed.map((kind) => taxableKinds[kind]).join(', ')],
      ['Source', view.source],
      ['Checked', checked],
    ] as [string, string][],
    builtIn: view.builtIn && builtInView(view.builtIn),
    /** A note where an imported file sets the rate. */
    imported:
      view.importedPpm === null
        ? null
        : `An imported file sets the rate to ${formatRate(view.importedPpm)}, and that rate applies instead of this one.`,
    changes: changes.map((row) => ({
      id: String(row.id),
      isCancelable: row.canceledAt === null && row.startsOn > today,
      cells: {
        at: timeText(row.setAt, storeZone),
        by: row.setBy,
        rate: formatRate(row.ratePpm),
        fee: tireFeeText(row.tireFee),
        checked: row.isBuiltIn
          ? 'Built-in'
          : row.isVerified && row.checkedOn
            ? `Verified ${dateText(row.checkedOn)}`
            : 'Unverified',
        from: `${dateText(row.startsOn)}${row.canceledAt === null ? '' : ` (canceled by ${row.canceledBy ?? 'staff'})`}`,
      },
    })),
  }
}

/** The built-in values, if staff set others. */
function builtInView({ ratePpm, tireFee, taxed, source, validFrom, isUpdated }: NonNullable<StateTaxView['builtIn']>) {
  return {
    isUpdated,
    rows: [
      ['State sales tax', ratePpm === 0 ? 'None' : formatRate(ratePpm)],
      ['Fee per new tire', tireFeeText(tireFee)],
      ['Taxed', taxed.map((kind) => taxableKinds[kind]).join(', ')],
      ['Source', source],
      ['Since', dateText(validFrom)],
    ] as [string, string][],
  }
}
