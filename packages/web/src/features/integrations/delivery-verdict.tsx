import type { DeliveryDetail, Verdict } from '@signalbox/contract/deliveries';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../lib/i18n.ts';
import { indentJson } from '../../lib/json-text.ts';
import { authMethodNames } from './integration-draft.ts';
import css from './integrations.module.css';
import { OutcomeBadge } from './outcome-badge.tsx';
import { methodNames, sourceNames } from './part-drafts.ts';

/** Why a call did or did not start a task: authentication, matcher by matcher, values, and what came. */
export function DeliveryVerdict({ delivery }: { delivery: DeliveryDetail }) {
  const { verdict, task_id: taskId } = delivery;
  const { authentication, matchers, values } = verdict;
  return (
    <>
      <p className={css.verdict}>
        <OutcomeBadge outcome={verdict.outcome} />
        {verdict.text}
        {taskId === null ? null : (
          <Link className={css.link} to="." search={(before: Record<string, unknown>) => ({ ...before, t: taskId })}>
            #{taskId}
          </Link>
        )}
      </p>
      <Part title={t('integrations.auth')}>
        <ul className={css.steps}>
          <Step
            isOk={authentication.accepted}
            words={t(authentication.accepted ? 'integrations.accepted' : 'integrations.notAccepted')}
          >
            {t(authMethodNames[authentication.method || 'none'])}: {authentication.text}
          </Step>
        </ul>
      </Part>
      {matchers.length === 0 ? null : (
        <Part title={t('integrations.matchers')}>
          <ul className={css.steps}>
            {matchers.map((matcher, index) => (
              // Verdicts never change, and two matchers may have one name.
              // biome-ignore lint/suspicious/noArrayIndexKey: the place in the list is what tells them apart
              <MatcherStep key={index} matcher={matcher} />
            ))}
          </ul>
        </Part>
      )}
      {values.length === 0 ? null : (
        <Part title={t('integrations.values')}>
          <ul className={css.steps}>
            {values.map(({ name, variable, value }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as with the matchers
              <li key={index} className={css.step}>
                <div>
                  {name}: <code className={css.code}>{variable}</code>{' '}
                  {value === null ? (
                    <span className={css.was}>{t('integrations.noValue')}</span>
                  ) : (
                    <code className={css.code}>= {value}</code>
                  )}
                </div>
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Part title={t('integrations.headers')}>
        <pre className={css.raw}>
          {Object.entries(delivery.headers)
            .map(([name, value]) => `${name}: ${value}`)
            .join('\n')}
        </pre>
      </Part>
      <Part title={`${t('integrations.body')} · ${describeBody(verdict.body)}`}>
        {delivery.body === '' ? null : <pre className={css.raw}>{indentJson(delivery.body)}</pre>}
      </Part>
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h3 className={css.part}>{title}</h3>
      {children}
    </section>
  );
}

function Step({ isOk, words, children }: { isOk: boolean; words: string; children: ReactNode }) {
  const Icon = isOk ? IconCircleCheck : IconCircleX;
  return (
    <li className={css.step} data-ok={isOk || undefined}>
      <Icon size={16} stroke={1.8} role="img" aria-label={words} />
      <div>{children}</div>
    </li>
  );
}

function MatcherStep({ matcher }: { matcher: Verdict['matchers'][number] }) {
  const { name, match_type: source, method, key, expected, actual, matched } = matcher;
  return (
    <Step isOk={matched} words={t(matched ? 'integrations.holds' : 'integrations.holdsNot')}>
      {name}: {t(sourceNames[source])} <code className={css.code}>{key}</code> {t(methodNames[method])}{' '}
      <code className={css.code}>{expected}</code>
      <div className={css.was}>
        {actual === '' ? t('integrations.wasNothing') : t('integrations.was', { value: actual })}
      </div>
    </Step>
  );
}

function describeBody({ size, kept }: Verdict['body']): string {
  const words = t('integrations.bodySize', { size });
  if (kept === 'all' || size === 0) return words;
  return `${words}, ${t(kept === 'part' ? 'integrations.bodyPart' : 'integrations.bodyNothing')}`;
}
