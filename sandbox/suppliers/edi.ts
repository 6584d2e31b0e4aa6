/**
 * Suppliers that exchange EDI files. Each has a folder, named by its identity. The store writes to `in`, and the supplier
 * to `out`. An order is read when its file name ends with .edi. The file `inventory.edi` has the supplier's stock (846).
 */
import type { Store } from '../store.ts'
import {
  acknowledgment997,
  confirmation855,
  inventory846,
  readOrder850,
  readX12,
  shipNotice856,
  type Interchange,
} from './x12.ts'
import type { SupplierChannel, Suppliers } from './suppliers.ts'
import { inventoryOf, type Wholesale } from './wholesale.ts'

/** The login at every supplier in the demo. */
export const demoEdiLogin = { username: 'sidewall', password: 'sidewall-demo-edi-password' } as const
/** The store's interchange ID at the demo's suppliers. */
export const demoEdiIdentity = 'SIDEWALL'

/** A file, by its whole path. Its text is in Latin-1. */
export type EdiFile = { path: string; text: string; at: string }

export type EdiFiles = {
  /** Returns a file by its path. Writes a supplier's inventory again if its stock has changed. */
  find(path: string): EdiFile | undefined
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

export function openEdi({
  store,
  now,
  wholesale,
}: {
  store: Store
  now: () => Temporal.Instant
  wholesale: Wholesale
}): EdiFiles & {
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

  const changedInventory = openInventories({ store, now, wholesale }, nextControl)

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
    find(path) {
      const [, supplier = ''] = /^\/([\w.-]{1,15})\/inventory\.edi$/.exec(path) ?? []
      const changed = supplier === '' ? null : changedInventory(supplier)
      if (changed !== null) put(path, changed)
      return files.get(path)
    },
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
    channel: channelOf(answer),
  }
}

/** Returns a function for a supplier's inventory as a file; null while the last one is current and less than a day old. */
function openInventories(
  { store, now, wholesale }: Parameters<typeof openEdi>[0],
  nextControl: () => number,
): (supplier: string) => string | null {
  const written = store.collection<{ lines: string; at: string }>('edi-inventory')
  return (supplier) => {
    const lines = inventoryOf(wholesale, supplier)
    const last = written.get(supplier)
    const isCurrent =
      last?.lines === JSON.stringify(lines) && now().since(Temporal.Instant.from(last.at)).total('hours') < 24
    if (lines.length === 0 || isCurrent) return null
    written.put(supplier, { lines: JSON.stringify(lines), at: now().toString() })
    const stamp = { from: supplier, to: demoEdiIdentity, control: nextControl(), at: now(), isTest: true }
    return inventory846(stamp, lines)
  }
}

/** Answers and ships orders by files. */
function channelOf(
  answer: (from: string, to: string, kind: string, write: (stamp: Stamp) => string) => void,
): SupplierChannel {
  return {
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
  }
}

type Stamp = Parameters<typeof acknowledgment997>[0]

function headOf({ group, groupControl, set, setControl }: Interchange) {
  return { group, groupControl, set, setControl }
}
