import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import type { FieldTitles } from '../../lib/form-problems.ts';
import { t } from '../../lib/i18n.ts';
import type { OpenForm } from '../../lib/use-open-form.ts';
import { useRefusal } from '../../lib/use-refusal.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import type { PlaceDraft } from './part-drafts.ts';
import type { PartSave } from './parts-data.ts';
import { PlaceFields } from './place-fields.tsx';

/** What the form of a matcher or a value gets from its list. */
export type PartFormProps<Part, Input> = OpenForm<Part, PartSave<Input>>;

/** As much of either form as the frame needs. */
type PlaceForm = Pick<
  UseFormReturnType<PlaceDraft & { name: string }>,
  'values' | 'errors' | 'setErrors' | 'clearErrors' | 'isDirty'
> & {
  setValues: (values: Partial<PlaceDraft>) => void;
  getInputProps: (field: 'name') => object;
};

type PartFormDialogProps = Omit<PartFormProps<unknown, unknown>, 'value' | 'onSubmit'> & {
  isNew: boolean;
  title: string;
  form: PlaceForm;
  /** Title of every field, by its name on the wire. */
  titles: FieldTitles;
  /** Where the text is taken from, by its name on the wire. */
  sourceField: string;
  alwaysHasKey: boolean;
  onSubmit: () => void;
  /** What stands below the place. */
  children: ReactNode;
};

/** The form of a part: its name, where its text is taken from, and what is done with that. */
export function PartFormDialog(props: PartFormDialogProps) {
  const { form, titles, sourceField } = props;
  const banner = useRefusal(props.error, titles, form.setErrors);
  return (
    <FormDialog
      isOpen
      title={props.title}
      submitLabel={props.isNew ? t('ui.create') : t('ui.save')}
      onSubmit={props.onSubmit}
      onClose={props.onClose}
      isBusy={props.isBusy}
      isDirty={form.isDirty()}
      error={banner}
    >
      <TextInput label={t('integrations.name')} withAsterisk data-autofocus {...form.getInputProps('name')} />
      <PlaceFields
        sourceTitle={titles[sourceField] ?? ''}
        value={form.values}
        errors={{ source: form.errors[sourceField], format: form.errors.body_data_type, key: form.errors.key }}
        alwaysHasKey={props.alwaysHasKey}
        onChange={(change) => {
          form.clearErrors();
          form.setValues(change);
        }}
      />
      {props.children}
    </FormDialog>
  );
}
