/** Returns: rules, states, fee and money. Safe in the browser. */
export * from './return-terms.ts'
export { holdForm, inspectionForm, receivedForm, refundReturnForm, releaseForm, returnForm } from './return-form.ts'
export { checkReturn, leftOf, type ReturnField, type ReturnFinding, type ReturnFacts } from './return-rules.ts'
export { returnMoney, type ReturnMoney } from './return-money.ts'
