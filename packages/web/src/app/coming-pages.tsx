import { LoadingPage } from './loading-page.tsx';

export function TemplatesPage() {
  return <LoadingPage />;
}
export const TemplateFormPage = TemplatesPage;
export const TemplatePage = TemplatesPage;
export const TemplateTasksPage = TemplatesPage;
export const TemplateDetailsPage = TemplatesPage;
