/** What the manufacturer told NHTSA about a vehicle, as it is written there; null where it says nothing. */
export type DecodedVin = {
  readonly year: number
  readonly make: string
  readonly model: string
  readonly trim: string | null
  readonly series: string | null
  readonly body: string | null
}

/** Reads vehicles from their VINs without asking anybody outside. */
export interface VinDecoder {
  /** By VIN; one that cannot be read is missing. Never throws: a fault is logged and leaves the VINs unread. */
  decode(vins: readonly string[]): Promise<ReadonlyMap<string, DecodedVin>>
}
