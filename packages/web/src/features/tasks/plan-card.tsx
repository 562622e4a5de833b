import type { Plan, PlanAction } from '@signalbox/contract/plan';
import { type MessageKey, t } from '../../lib/i18n.ts';
import css from './plan.module.css';

const actions: Record<PlanAction, { sign: string; label: MessageKey; tone: string }> = {
  create: { sign: '+', label: 'plan.create', tone: 'success' },
  update: { sign: '~', label: 'plan.update', tone: 'confirm' },
  replace: { sign: '±', label: 'plan.replace', tone: 'failed' },
  delete: { sign: '−', label: 'plan.delete', tone: 'failed' },
  read: { sign: '<', label: 'plan.read', tone: 'muted' },
  forget: { sign: '×', label: 'plan.forget', tone: 'muted' },
};

/** What a plan would change, or has changed, object by object. */
export function PlanCard({ plan }: { plan: Plan }) {
  const listed = plan.changes.filter(({ action }) => action !== 'read' && action !== 'forget').length;
  const more = plan.add + plan.change + plan.destroy - countTwice(plan) - listed;
  return (
    <section className={css.card} aria-label={t('plan.title')}>
      <h2 className={css.title}>{t('plan.title')}</h2>
      <p className={css.counts}>{t('plan.counts', { add: plan.add, change: plan.change, destroy: plan.destroy })}</p>
      <ul className={css.list}>
        {plan.changes.map(({ address, action }) => {
          const { sign, label, tone } = actions[action];
          return (
            <li key={address} title={`${t(label)}: ${address}`}>
              <span className={css.sign} data-tone={tone} role="img" aria-label={t(label)}>
                {sign}
              </span>
              <code>{address}</code>
            </li>
          );
        })}
      </ul>
      {more > 0 ? <p className={css.more}>{t('plan.more', { count: more })}</p> : null}
    </section>
  );
}

/** A replacement counts as one to add and as one to destroy, and is one line. */
function countTwice({ changes }: Plan): number {
  return changes.filter(({ action }) => action === 'replace').length;
}
