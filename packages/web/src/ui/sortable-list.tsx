import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  type Modifier,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { IconArrowDown, IconArrowUp, IconGripVertical } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { t } from '../lib/i18n.ts';
import { IconButton } from './icon-button.tsx';
import css from './sortable-list.module.css';

type SortableListProps<Item> = {
  /** What the list holds, for those who cannot see it. */
  label: string;
  items: readonly Item[];
  itemKey: (item: Item) => string | number;
  /** Name of an item, for its handle and what is said while it moves. */
  itemName: (item: Item) => string;
  onMove: (from: number, to: number) => void;
  children: (item: Item, index: number) => ReactNode;
  /** Buttons at the end of an item, after those that move it. */
  renderActions?: (item: Item, index: number) => ReactNode;
};

const onlyUpAndDown: Modifier = ({ transform }) => ({ ...transform, x: 0 });

/**
 * A list whose order is a person's choice: by dragging the handle, by Space and arrow keys on it, by Alt with an arrow key, or
 * by the buttons at its side, which need neither a keyboard nor a steady hand.
 */
export function SortableList<Item>(props: SortableListProps<Item>) {
  const { label, items, itemKey, itemName, onMove, children, renderActions } = props;
  const listRef = useRef<HTMLUListElement>(null);
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const keys = items.map(itemKey);
  const handleDragEnd = ({ active, over }: DragEndEvent): void => {
    const from = keys.indexOf(active.id);
    const to = over === null ? -1 : keys.indexOf(over.id);
    if (from >= 0 && to >= 0 && from !== to) onMove(from, to);
  };
  const step = (from: number, by: -1 | 1): void => {
    const to = from + by;
    if (to < 0 || to >= items.length) return;
    onMove(from, to);
    // The focus goes with the item, so that it can be moved on.
    requestAnimationFrame(() => listRef.current?.querySelectorAll<HTMLElement>('[data-handle]')[to]?.focus());
  };
  const names = new Map(items.map((item) => [itemKey(item), itemName(item)]));
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      modifiers={[onlyUpAndDown]}
      onDragEnd={handleDragEnd}
      accessibility={{
        announcements: makeAnnouncements(keys, names),
        screenReaderInstructions: { draggable: t('ui.sortHint') },
      }}
    >
      <SortableContext items={keys} strategy={verticalListSortingStrategy}>
        <ul ref={listRef} className={css.items} aria-label={label}>
          {items.map((item, index) => (
            <SortableItem
              key={itemKey(item)}
              id={itemKey(item)}
              name={itemName(item)}
              isFirst={index === 0}
              isLast={index === items.length - 1}
              onStep={(by) => step(index, by)}
              actions={renderActions?.(item, index)}
            >
              {children(item, index)}
            </SortableItem>
          ))}
        </ul>
      </SortableContext>
    </DndContext>
  );
}

function makeAnnouncements(keys: readonly UniqueIdentifier[], names: Map<UniqueIdentifier, string>): Announcements {
  const describe = (id: UniqueIdentifier, over: UniqueIdentifier | undefined) => ({
    name: names.get(id) ?? String(id),
    place: over === undefined ? 0 : keys.indexOf(over) + 1,
    total: keys.length,
  });
  return {
    onDragStart: ({ active }) => t('ui.sortStart', describe(active.id, active.id)),
    onDragOver: ({ active, over }) => t('ui.sortOver', describe(active.id, over?.id)),
    onDragEnd: ({ active, over }) => t('ui.sortEnd', describe(active.id, over?.id)),
    onDragCancel: ({ active }) => t('ui.sortCancel', describe(active.id, undefined)),
  };
}

type SortableItemProps = {
  id: UniqueIdentifier;
  name: string;
  isFirst: boolean;
  isLast: boolean;
  onStep: (by: -1 | 1) => void;
  actions: ReactNode;
  children: ReactNode;
};

function SortableItem({ id, name, isFirst, isLast, onStep, actions, children }: SortableItemProps) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id,
  });
  const handleKey = (event: KeyboardEvent): void => {
    if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      event.preventDefault();
      onStep(event.key === 'ArrowUp' ? -1 : 1);
      return;
    }
    listeners?.onKeyDown?.(event);
  };
  return (
    <li
      ref={setNodeRef}
      className={css.item}
      data-dragging={isDragging || undefined}
      style={{
        transform: transform === null ? undefined : `translate3d(0, ${Math.round(transform.y)}px, 0)`,
        transition,
      }}
    >
      <button
        type="button"
        className={css.handle}
        ref={setActivatorNodeRef}
        {...attributes}
        {...listeners}
        onKeyDown={handleKey}
        data-handle
        // Escape puts the item back, and leaves the dialog around it open.
        data-mantine-stop-propagation={isDragging || undefined}
        aria-label={t('ui.sortHandle', { name })}
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
      >
        <IconGripVertical size={16} stroke={1.7} aria-hidden />
      </button>
      {children}
      <Step label={t('ui.moveUp', { name })} isOff={isFirst} onClick={() => onStep(-1)}>
        <IconArrowUp size={16} stroke={1.7} />
      </Step>
      <Step label={t('ui.moveDown', { name })} isOff={isLast} onClick={() => onStep(1)}>
        <IconArrowDown size={16} stroke={1.7} />
      </Step>
      {actions}
    </li>
  );
}

type StepProps = { label: string; isOff: boolean; onClick: () => void; children: ReactNode };

function Step({ label, isOff, onClick, children }: StepProps) {
  return (
    <IconButton label={label} size={28} isDisabled={isOff} onClick={onClick}>
      {children}
    </IconButton>
  );
}
