/** The PDFs of the store. Their renderer is large and rarely needed, so it is loaded with the first document. */
import type { EvidenceSheet } from '#domain/aftercare/disputes/disputes.server.ts'
import type { Receipt } from '#domain/ordering/orders/receipt.ts'
import type { WorkOrder } from '#domain/ordering/orders/work-order.ts'
import type { StatementSheet } from '#domain/installer-portal/payouts/payouts.server.ts'
import type { PackingSlip, PickList } from '#domain/ordering/parcels/packing-slip.ts'
import type { LabelSheet } from '#domain/ordering/returns/returns.server.ts'

export type Documents = {
  /** Renders a receipt as PDF. */
  receiptPdf(receipt: Receipt): Promise<Uint8Array>
  /** Renders a work order as PDF. */
  workOrderPdf(workOrder: WorkOrder): Promise<Uint8Array>
  /** Renders a return's labels as a PDF, one page per tire. */
  returnLabelsPdf(sheet: LabelSheet): Promise<Uint8Array>
  /** Renders packing slips as PDF, one page a parcel. */
  packingSlipsPdf(slips: readonly PackingSlip[]): Promise<Uint8Array>
  /** Renders a pick list as PDF, one page a warehouse or more. */
  pickListPdf(list: PickList): Promise<Uint8Array>
  /** Renders a shop's statement of a week as PDF. */
  statementPdf(sheet: StatementSheet): Promise<Uint8Array>
  /** Renders a page of dispute evidence as a PDF. */
  evidencePdf(sheet: EvidenceSheet): Promise<Uint8Array>
}

export const documents: Documents = {
  receiptPdf: async (receipt) => (await import('./receipt-pdf.ts')).renderReceiptPdf(receipt),
  workOrderPdf: async (workOrder) => (await import('./work-order-pdf.ts')).renderWorkOrderPdf(workOrder),
  returnLabelsPdf: async (sheet) => (await import('./return-labels-pdf.ts')).renderReturnLabelsPdf(sheet),
  packingSlipsPdf: async (slips) => (await import('./packing-pdf.ts')).renderPackingSlipsPdf(slips),
  pickListPdf: async (list) => (await import('./packing-pdf.ts')).renderPickListPdf(list),
  evidencePdf: async (sheet) => (await import('./evidence-pdf.ts')).renderEvidencePdf(sheet),
  statementPdf: async (sheet) => (await import('./statement-pdf.ts')).renderStatementPdf(sheet),
}
