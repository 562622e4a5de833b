import type { Job } from '@signalbox/contract/job';

type Details = Record<string, string | number | null>;

/** What playbooks find in `semaphore_vars.task_details`. A member that has nothing to say is not there. */
export function describeTask(job: Job): Details {
  const { username, url, message, incoming_version, target_version } = job.details;
  const details: Details = { id: job.task_id, username, url };
  if (message !== '') details.message = message;
  if (job.task_type !== '') details.type = job.task_type;
  if (incoming_version !== null) details.incoming_version = incoming_version;
  if (target_version !== null) details.target_version = target_version;
  return details;
}

/** The same as environment variables, under the name that scripts know and under ours. */
export function listTaskVariables(job: Job): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(describeTask(job))) {
    const suffix = `TASK_${name.toUpperCase()}`;
    variables[`SEMAPHORE_${suffix}`] = value === null ? '' : String(value);
    variables[`SIGNALBOX_${suffix}`] = value === null ? '' : String(value);
  }
  // Scripts test whether the older name is there at all; ours always says what kind of task it is.
  variables.SIGNALBOX_TASK_TYPE = job.task_type === '' ? 'task' : job.task_type;
  return variables;
}
