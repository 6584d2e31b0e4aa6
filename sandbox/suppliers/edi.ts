/**
 * Suppliers that exchange EDI files. Each has a folder, named by its identity. The store writes to `in`, and the supplier
 * to `out`. An order is read when its file name ends with .edi.
 */
import type { Collection, Store } from '../store.ts'
import { readOrder850, readX12, acknowledgment997, confirmation855, shipNotice856, type Interchange } from './x12.ts'
import type { SupplierChannel, Suppliers } from './suppliers.ts'

/** A file, by its whole path. Its text is in Latin-1. */
export type EdiFile = { path: string; text: string; at: string }

export type EdiFiles = {
  readonly files: Collection<EdiFile>
  /** The names in a folder, such as /NORTHLINE/out. */
  list(folder: string): EdiFile[]
  /** Writes a file, and reads it if it is an order. */
  write(path: string, text: string): void
  rename(from: string, to: string): boolean
  remove(path: string): boolean
  /** How the suppliers answer orders that came as files. */
  channel: SupplierChannel
}

const maxFiles = 1_000

export function openEdi({ store, now }: { store: Store; now: () => Temporal.Instant }): EdiFiles & {
  /** Sets the receiver of orders. */
  takeOrdersWith(suppliers: Pick<Suppliers, 'take' | 'withdraw'>): void
} {
  const files = store.collection<EdiFile>('edi-file')
  const counter = store.collection<number>('edi-control')
  let taking: Pick<Suppliers, 'take' | 'withdraw'> | undefined

  function nextControl(): number {
    const control = (counter.get('last') ?? 100_000_000) + 1
    counter.put('last', control)
    return control
  }

  function put(path: string, text: string): void {
    files.put(path, { path, text, at: now().toString() })
  }

  function answer(from: string, to: string, kind: string, write: (stamp: Stamp) => string): void {
    const control = nextControl()
    put(`/${from}/out/${kind}-${control}.edi`, write({ from, to, control, at: now(), isTest: true }))
  }

  function receive({ path, text }: EdiFile): void {
    const [, supplier = ''] = /^\/([\w.-]{1,15})\/in\/[\w.-]{1,100}\.edi$/i.exec(path) ?? []
    if (supplier === '') return
    files.remove(path)
    const read = readX12(text)
    // Without its envelope, a document can't be answered.
    if (!read || read.receiver !== supplier || read.group !== 'PO') return
    const order = readOrder850(read)
    answer(supplier, read.sender, '997', (stamp) => acknowledgment997(stamp, headOf(read), order !== undefined))
    if (!order) return
    if (order.type === 'delete') taking?.withdraw(order.withdraws ?? '')
    else taking?.take({ ...order, channel: 'edi' })
  }

  return {
    files,
    takeOrdersWith(suppliers) {
      taking = suppliers
    },
    list: (folder) =>
      files
        .list({ limit: maxFiles })
        .filter(({ path }) => path.startsWith(`${folder}/`) && !path.slice(folder.length + 1).includes('/'))
        .toReversed(),
    write(path, text) {
      put(path, text)
      receive({ path, text, at: '' })
    },
    rename(from, to) {
      const file = files.get(from)
      if (!file) return false
      files.remove(from)
      this.write(to, file.text)
      return true
    },
    remove(path) {
      if (!files.get(path)) return false
      files.remove(path)
      return true
    },
    channel: {
      confirm({ supplier, buyer, orderId }, answered) {
        answer(supplier, buyer, '855', (stamp) =>
          confirmation855(stamp, { ...answered, orderId, reference: answered.confirmId }),
        )
      },
      ship({ supplier, buyer, orderId }, notice) {
        answer(supplier, buyer, '856', (stamp) =>
          shipNotice856(stamp, {
            ...notice,
            orderId,
            tracking: `SF${notice.shipmentId.replaceAll(/\D/g, '').slice(0, 10)}`,
          }),
        )
      },
    },
  }
}

type Stamp = Parameters<typeof acknowledgment997>[0]

function headOf({ group, groupControl, set, setControl }: Interchange) {
  return { group, groupControl, set, setControl }
}
