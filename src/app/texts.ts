/** The results of the use cases as text for a terminal. */
export { renderCalibration } from '../../reports/terminal/render-calibration.ts';
export {
  renderTerminalSummary,
  type TerminalOptions,
} from '../../reports/terminal/render-terminal-summary.ts';
export { renderRunComparisonText } from '../../reports/terminal/render-run-comparison-text.ts';
export { renderDiagnosis } from '../../reports/terminal/render-diagnosis.ts';
export { renderGateText } from '../../reports/gate/render-gate-text.ts';
export { renderBudgetsText } from '../../reports/gate/render-budgets-text.ts';
export { renderAgreementText } from '../../reports/terminal/render-agreement-text.ts';
