/** The list of orders that the fraud rules did not just let pass: those to decide first. */
import { defineList, money, time } from '#app/office/define-list.server.ts'
import { timerTo } from '#app/views/office-times.ts'
import { officePaths } from '#content/office-paths.ts'
import { listHeldOrders, listScreenings, type Screening } from '#domain/fraud/fraud.server.ts'
import { isOpen } from '#domain/fraud/fraud.ts'
import { orderNumber } from '#domain/orders/orders.ts'

const tabs = { waiting: 'To decide', flagged: 'Flagged', held: 'Held', refused: 'Refused online' } as const
