import type { AbrRule, OwnAbrRule } from '../../abr/abr-rule.ts';
import { dash } from '../dash.ts';
import type { Dash } from '../dash.ts';
import type { AbrState } from './player.ts';

const ruleName = 'H2h3Rule';
/** dash.js takes the request of the highest priority; there is only ours. */
const strongPriority = 1;

/** Puts a rule of our own in the place of dash.js's; its own rules need only their switches in the settings. */
export function installRule(player: Dash.MediaPlayerClass, rule: AbrRule, state: AbrState): void {
  if (rule.kind !== 'ours') return;
  const constructRule = (): object => ({
    getSwitchRequest: (context: Dash.RulesContext) => switchRequest(context, rule, state),
    reset: () => undefined,
  });
  // FactoryMaker applies what it is given as a plain function and finds it by this name.
  Object.assign(constructRule, { __dashjs_factory_name: ruleName });
  const factory = dash.FactoryMaker.getClassFactory(constructRule as never);
  player.addABRCustomRule('qualitySwitchRules', ruleName, factory);
}

function switchRequest(context: Dash.RulesContext, rule: OwnAbrRule, state: AbrState): object {
  const ladder = [
    ...(context
      .getAbrController()
      .getPossibleVoRepresentationsFilteredBySettings(context.getMediaInfo(), true) ?? []),
  ].sort((left, other) => left.bitrateInKbit - other.bitrateInKbit);
  // The rules are of pictures; of sound there is one rate.
  if (context.getMediaInfo().type !== 'video')
    return { representation: ladder[0], reason: 'one rate', priority: strongPriority, rule: ruleName };
  const { previousRepresentation, ...rest } = state();
  const previousIndex = ladder.findIndex((representation) => representation.id === previousRepresentation);
  const choice = rule.decide({
    ...rest,
    bitratesKbps: ladder.map((representation) => representation.bitrateInKbit),
    previousIndex: previousIndex === -1 ? null : previousIndex,
  });
  return {
    representation: ladder[choice.index],
    reason: choice.why,
    priority: strongPriority,
    rule: ruleName,
  };
}
